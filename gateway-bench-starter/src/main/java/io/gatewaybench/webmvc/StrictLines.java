package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.io.HttpTransportMetrics;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the heads on one connection. Each ends with CR and LF, and has no other
 * control character in it but tabs; Apache's own buffer takes LF alone for the end, too,
 * and turns the others into spaces (RFC 9112, section 2.2; RFC 9110, section 5.5).
 */
final class StrictLines implements SessionInputBuffer {

	private static final int DELETE = 0x7f;

	private final int maxHeadSize;

	private @Nullable SessionInputBuffer delegate;

	private int headSize;

	StrictLines(int maxHeadSize) {
		this.maxHeadSize = maxHeadSize;
	}

	/**
	 * Begin to read a head.
	 * @param buffer buffer of the connection
	 * @return the buffer, for lines of the head
	 */
	SessionInputBuffer of(SessionInputBuffer buffer) {
		this.delegate = buffer;
		this.headSize = 0;
		return this;
	}

	private SessionInputBuffer delegate() {
		return Objects.requireNonNull(this.delegate);
	}

	@Override
	public int readLine(CharArrayBuffer line, InputStream input) throws IOException {
		SessionInputBuffer buffer = delegate();
		int length = 0;
		int character = buffer.read(input);
		if (character < 0 && this.headSize == 0) {
			return -1;
		}
		while (character != '\r') {
			if (character < 0) {
				throw new ConnectionClosedException("The upstream closed before the end of the response's head");
			}
			if (isControl(character)) {
				throw new IOException("The upstream sent a head with characters that are not allowed there");
			}
			if (this.headSize + length >= this.maxHeadSize) {
				throw new IOException("The upstream sent a head of more than %d bytes".formatted(this.maxHeadSize));
			}
			line.append((char) character);
			length++;
			character = buffer.read(input);
		}
		if (buffer.read(input) != '\n') {
			throw new IOException("The upstream sent a head with CR in a line");
		}
		this.headSize += length;
		return length;
	}

	private static boolean isControl(int character) {
		return (character < ' ' && character != '\t') || character == DELETE;
	}

	@Override
	public int length() {
		return delegate().length();
	}

	@Override
	public int capacity() {
		return delegate().capacity();
	}

	@Override
	public int available() {
		return delegate().available();
	}

	@Override
	public int read(byte[] target, int offset, int length, InputStream input) throws IOException {
		return delegate().read(target, offset, length, input);
	}

	@Override
	public int read(byte[] target, InputStream input) throws IOException {
		return delegate().read(target, input);
	}

	@Override
	public int read(InputStream input) throws IOException {
		return delegate().read(input);
	}

	@Override
	public HttpTransportMetrics getMetrics() {
		return delegate().getMetrics();
	}

}
