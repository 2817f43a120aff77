package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Body of a response as it comes from the upstream, which remembers how it ended. Spring
 * takes an upstream that breaks off for a client that left, and then completes the
 * response as if all were well; the filters around the exchange need to know better.
 */
final class UpstreamBody extends InputStream {

	private static final String ATTRIBUTE = UpstreamBody.class.getName();

	private final InputStream delegate;

	private boolean ended;

	private boolean broken;

	UpstreamBody(InputStream delegate) {
		this.delegate = delegate;
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
		catch (IOException ex) {
			this.broken = true;
			throw ex;
		}
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		try {
			int result = this.delegate.read(target, offset, length);
			this.ended |= result < 0;
			return result;
		}
		catch (IOException ex) {
			this.broken = true;
			throw ex;
		}
	}

	@Override
	public void close() throws IOException {
		this.delegate.close();
	}

}
