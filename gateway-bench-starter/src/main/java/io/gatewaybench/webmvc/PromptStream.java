package io.gatewaybench.webmvc;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Sends each piece of a request's body at once. A client may wait for the response to
 * what it has sent before it sends more.
 */
final class PromptStream extends FilterOutputStream {

	PromptStream(OutputStream out) {
		super(out);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		this.out.write(bytes, offset, length);
		this.out.flush();
	}

}
