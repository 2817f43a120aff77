package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Body of a response as it comes from the upstream, which remembers how it ended. Spring
 * takes an upstream that breaks off for a client that left, and then completes the
 * response as if all were well; the filters around the exchange need to know better.
 */
final class UpstreamBody extends InputStream {

	private static final String ATTRIBUTE = UpstreamBody.class.getName();

	private static final int WORTH_READING = 64 * 1024;

	private final InputStream delegate;

	private final HttpHeaders headers;

	private boolean ended;

	private boolean broken;

	/**
	 * Watch a body.
	 * @param delegate the body
	 * @param headers headers of the upstream's response
	 */
	UpstreamBody(InputStream delegate, HttpHeaders headers) {
		this.delegate = delegate;
		this.headers = headers;
	}

	/**
	 * End a body and the connection that it came on.
	 */
	static void abort(InputStream body) throws IOException {
		// To close is to abort for every other client
		if (!ApacheClient.abort(body)) {
			body.close();
		}
	}

	/**
	 * Body of the exchange, or {@code null} if it has none that is watched.
	 */
	static @Nullable UpstreamBody of(HttpServletRequest request) {
		return (UpstreamBody) request.getAttribute(ATTRIBUTE);
	}

	void attachTo(HttpServletRequest request) {
		request.setAttribute(ATTRIBUTE, this);
	}

	/**
	 * Whether all of it was read.
	 */
	boolean isEnded() {
		return this.ended;
	}

	/**
	 * Whether the upstream broke off before the end.
	 */
	boolean isBroken() {
		return this.broken;
	}

	@Override
	public int read() throws IOException {
		try {
			int result = this.delegate.read();
			this.ended |= result < 0;
			return result;
		}
		catch (IOException | RuntimeException ex) {
			throw broken(ex);
		}
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		try {
			int result = this.delegate.read(target, offset, length);
			this.ended |= result < 0;
			return result;
		}
		catch (IOException | RuntimeException ex) {
			throw broken(ex);
		}
	}

	/**
	 * Reactor Netty's client tells of broken chunks by an exception of its own.
	 */
	private IOException broken(Exception cause) {
		this.broken = true;
		return (cause instanceof IOException ex) ? ex : new IOException("The upstream broke off its response", cause);
	}

	/**
	 * Read what is left if that is cheaper than another connection, else give up the
	 * connection: what is left may be without end.
	 */
	@Override
	public void close() throws IOException {
		if (!this.ended && !this.broken && isShort()) {
			readRest();
		}
		abort(this.delegate);
	}

	private boolean isShort() {
		try {
			long length = this.headers.getContentLength();
			return length >= 0 && length <= WORTH_READING;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private void readRest() {
		try {
			this.delegate.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			// Nobody wanted it
		}
	}

}
