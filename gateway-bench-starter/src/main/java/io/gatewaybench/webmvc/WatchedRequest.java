package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Request whose body is on its way to the upstream, which tells the watch over the
 * response whenever a piece was read.
 */
final class WatchedRequest extends HttpServletRequestWrapper {

	private @Nullable ServletInputStream body;

	WatchedRequest(HttpServletRequest request) {
		super(request);
	}

	/**
	 * A body has a length or a coding (RFC 9112, section 6.3).
	 */
	static boolean hasBody(HttpServletRequest request) {
		return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
	}

	static boolean isBody(InputStream body) {
		return body instanceof Body;
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		ServletInputStream current = this.body;
		if (current == null) {
			current = new Body(super.getInputStream());
			this.body = current;
		}
		return current;
	}

	private final class Body extends ServletInputStream {

		private final ServletInputStream delegate;

		Body(ServletInputStream delegate) {
			this.delegate = delegate;
		}

		@Override
		public int read() throws IOException {
			byte[] single = new byte[1];
			return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xff;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			ResponseWatch watch = ResponseWatch.of(WatchedRequest.this);
			if (watch == null) {
				return this.delegate.read(target, offset, length);
			}
			watch.awaitBody();
			int result = this.delegate.read(target, offset, length);
			watch.bodyRead();
			return result;
		}

		@Override
		public int available() throws IOException {
			return this.delegate.available();
		}

		@Override
		public boolean isFinished() {
			return this.delegate.isFinished();
		}

		@Override
		public boolean isReady() {
			return this.delegate.isReady();
		}

		@Override
		public void setReadListener(ReadListener listener) {
			this.delegate.setReadListener(listener);
		}

		@Override
		public void close() throws IOException {
			this.delegate.close();
		}

	}

}
