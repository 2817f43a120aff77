package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Iterator;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.HttpMessageWriter;
import org.apache.hc.core5.http.io.SessionOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heads of the requests on one connection, a byte for each character. Apache's
 * own encodes each line by itself for that, which takes longer.
 */
final class RequestHeads implements HttpMessageWriter<ClassicHttpRequest> {

	private static final int USUAL_SIZE = 1024;

	private static final int DELETE = 0x7f;

	private static final int LAST_BYTE = 0xff;

	private byte[] head = new byte[USUAL_SIZE];

	private int length;

	@Override
	public void write(ClassicHttpRequest request, SessionOutputBuffer buffer, OutputStream out) throws IOException {
		this.length = 0;
		add(request.getMethod());
		add(" ");
		add(request.getRequestUri());
		add(" HTTP/1.1");
		endLine();
		for (Iterator<Header> headers = request.headerIterator(); headers.hasNext();) {
			Header header = headers.next();
			add(header.getName());
			add(": ");
			add(header.getValue());
			endLine();
		}
		endLine();
		buffer.write(this.head, 0, this.length, out);
	}

	private void add(@Nullable String text) {
		if (text != null) {
			byte[] bytes = room(text.length());
			int at = this.length;
			for (int i = 0; i < text.length(); i++) {
				bytes[at++] = toByte(text.charAt(i));
			}
			this.length = at;
		}
	}

	/**
	 * The low byte of another character could end the line, and begin a header of the
	 * client's choice.
	 */
	private static byte toByte(char character) {
		if (character > LAST_BYTE) {
			return '?';
		}
		return (byte) (((character < ' ' && character != '\t') || character == DELETE) ? ' ' : character);
	}

	private void endLine() {
		byte[] bytes = room(2);
		bytes[this.length++] = '\r';
		bytes[this.length++] = '\n';
	}

	private byte[] room(int more) {
		if (this.head.length - this.length < more) {
			this.head = Arrays.copyOf(this.head, 2 * (this.length + more));
		}
		return this.head;
	}

}
