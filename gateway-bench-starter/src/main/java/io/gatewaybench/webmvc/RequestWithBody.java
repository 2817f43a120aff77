package io.gatewaybench.webmvc;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.tomcat.RequestAttributes;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Request whose body is on its way to the upstream. It tells the exchange whenever a
 * piece was read, or the body broke off. Some clients for upstreams read it in a thread
 * of their own, and don't wait for that when the upstream breaks off. The container is
 * about to read what follows by then, or has given the request to the next client.
 */
final class RequestWithBody extends HttpServletRequestWrapper {

	private final ServletExchange exchange;

	private volatile @Nullable Body body;

	private boolean parsed;

	RequestWithBody(HttpServletRequest request, ServletExchange exchange) {
		super(request);
		this.exchange = exchange;
		exchange.request(this);
	}

	/**
	 * A body has a length or a coding (RFC 9112, section 6.3), but needs neither in
	 * HTTP/2 (RFC 9113, section 8.1).
	 */
	static boolean mayHaveBody(HttpServletRequest request) {
		return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null
				|| !request.getProtocol().startsWith("HTTP/1.");
	}

	static boolean isBody(InputStream body) {
		return body instanceof Body;
	}

	/**
	 * Whether a read from the client failed because the client pauses for too long.
	 */
	static boolean isTimeout(IOException error) {
		return error instanceof SocketTimeoutException || error.getCause() instanceof SocketTimeoutException
				|| error.getCause() instanceof TimeoutException;
	}

	/**
	 * Whether more than so many bytes of the body have been read, or may be any moment.
	 */
	boolean isReadBeyond(int kept) {
		Body current = this.body;
		return current != null && (current.reading || current.count > kept);
	}

	/**
	 * Read a short body to its end, unless that takes no time or the client is to be told
	 * first whether it is wanted.
	 * @param held whether to read it in any case, as somebody else needs it
	 * @return whether nothing more will come
	 */
	boolean readAhead(RequestBodies bodies, boolean held) throws IOException {
		Body current = (Body) getInputStream();
		long length = getContentLengthLong();
		boolean there = current.isThere(length);
		if (there && (!held || current.ahead != null)) {
			return true;
		}
		if (getHeader(HttpHeaders.EXPECT) != null || current.count > 0 || !bodies.take(length)) {
			return there;
		}
		current.memory = bodies;
		current.readAhead((int) length);
		return true;
	}

	/**
	 * The body, if it has been read before.
	 */
	byte @Nullable [] held() {
		Body current = this.body;
		return (current != null) ? current.ahead : null;
	}

	/**
	 * The request is over.
	 */
	void forget() {
		Body current = this.body;
		if (current != null) {
			current.forget();
		}
	}

	/**
	 * Let no thread begin to read the body any more.
	 * @return whether a thread still reads it
	 */
	boolean refuseReads() {
		Body current = this.body;
		return current != null && current.refuse();
	}

	/**
	 * Wait until no thread reads the body. The client sends more before, breaks off, or
	 * pauses for too long.
	 */
	void awaitRead() {
		Body current = this.body;
		if (current != null) {
			current.awaitRead();
		}
	}

	/**
	 * Whether the container has read the body itself, to know the parameters.
	 */
	boolean isReadByContainer() throws IOException {
		Body current = this.body;
		return this.parsed && (current == null || (current.count == 0 && current.ahead == null)) && isAnnounced()
				&& super.getInputStream().isFinished();
	}

	private boolean isAnnounced() {
		return getContentLengthLong() > 0 || getHeader("Transfer-Encoding") != null;
	}

	@Override
	public @Nullable String getParameter(String name) {
		this.parsed = true;
		return super.getParameter(name);
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		this.parsed = true;
		return super.getParameterMap();
	}

	@Override
	public Enumeration<String> getParameterNames() {
		this.parsed = true;
		return super.getParameterNames();
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		this.parsed = true;
		return super.getParameterValues(name);
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		Body current = this.body;
		if (current == null) {
			current = new Body(super.getInputStream());
			this.body = current;
		}
		return current;
	}

	private final class Body extends ServletInputStream {

		private final ServletInputStream delegate;

		private volatile long count;

		private volatile boolean reading;

		private boolean refusing;

		private volatile byte @Nullable [] ahead;

		private volatile @Nullable RequestBodies memory;

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
			GatewayExchange current = RequestWithBody.this.exchange.current();
			current.deadline().requestAwaited();
			int result = readFromClient(target, offset, length, current);
			current.upstream().requestRead();
			current.deadline().responseAwaited();
			return result;
		}

		@Override
		public long transferTo(OutputStream out) throws IOException {
			return ResponseBody.transfer(this, out, getContentLengthLong());
		}

		private int readFromClient(byte[] target, int offset, int length, GatewayExchange current) throws IOException {
			begin();
			try {
				int result = readNext(target, offset, length);
				count(result);
				if (result < 0 || this.count == getContentLengthLong()) {
					current.upstream().uploadEnded();
				}
				return result;
			}
			catch (IOException ex) {
				avoidErrorPage(ex);
				RequestWithBody.this.exchange.clientFailed(current, isTimeout(ex));
				throw ex;
			}
			catch (IllegalStateException ex) {
				// Tomcat tells so of too many trailer fields
				RequestWithBody.this.exchange.clientFailed(current, false);
				throw new IOException(ex);
			}
			finally {
				end();
			}
		}

		private int readNext(byte[] target, int offset, int length) throws IOException {
			byte[] known = this.ahead;
			int left = (known != null) ? known.length - (int) this.count : 0;
			if (known == null || left <= 0) {
				return this.delegate.read(target, offset, length);
			}
			int read = Math.min(left, length);
			System.arraycopy(known, (int) this.count, target, offset, read);
			return read;
		}

		boolean isThere(long length) throws IOException {
			return this.ahead != null || (length > 0 && this.delegate.available() >= length - this.count);
		}

		void readAhead(int length) throws IOException {
			begin();
			try {
				byte[] known = this.delegate.readNBytes(length);
				if (known.length < length) {
					throw new EOFException("The client did not send its request to the end");
				}
				this.ahead = known;
			}
			catch (IOException ex) {
				avoidErrorPage(ex);
				RequestWithBody.this.exchange.clientFailed(RequestWithBody.this.exchange.current(), isTimeout(ex));
				throw ex;
			}
			finally {
				end();
			}
		}

		synchronized void forget() {
			RequestBodies taken = this.memory;
			if (taken != null) {
				this.memory = null;
				taken.giveBack(getContentLengthLong());
			}
		}

		private synchronized void begin() throws IOException {
			if (this.refusing) {
				throw new IOException("The request has been answered");
			}
			this.reading = true;
		}

		private synchronized void end() {
			this.reading = false;
			notifyAll();
		}

		synchronized boolean refuse() {
			this.refusing = true;
			return this.reading;
		}

		synchronized void awaitRead() {
			boolean interrupted = false;
			while (this.reading) {
				try {
					wait();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

		/**
		 * Tomcat takes the cause for an error of the application. It would make an error
		 * page for a client that is gone, which costs more than the request itself.
		 */
		private void avoidErrorPage(IOException ex) {
			Throwable cause = ex.getCause();
			if (cause != null && cause == getAttribute(RequestDispatcher.ERROR_EXCEPTION)
					&& !(cause instanceof SocketTimeoutException)) {
				setAttribute(RequestDispatcher.ERROR_EXCEPTION, ex);
			}
		}

		/**
		 * Tomcat tells of the end of a stream of HTTP/2 alike whether the client has sent
		 * all or has closed the connection.
		 */
		private void count(int result) throws IOException {
			if (result > 0) {
				this.count += result;
			}
			else if (result < 0 && isCutOff()) {
				throw new EOFException("The client did not send its request to the end");
			}
		}

		private boolean isCutOff() {
			return this.count < getContentLengthLong() || isReset();
		}

		private boolean isReset() {
			return getAttribute(RequestAttributes.CLIENT_RESET) instanceof BooleanSupplier reset
					&& reset.getAsBoolean();
		}

		@Override
		public int available() throws IOException {
			byte[] known = this.ahead;
			return ((known != null) ? known.length - (int) this.count : 0) + this.delegate.available();
		}

		/**
		 * A stream of HTTP/2 can stay open although its length is zero. Reactor Netty's
		 * client would send the request and wait for the end of the stream. If the stream
		 * is reset, the next request would get the response (Reactor Netty 1.3.6).
		 */
		@Override
		public boolean isFinished() {
			// The gateway would send a request that is cut off without a body
			return getContentLengthLong() == 0 || (this.delegate.isFinished() && !isCutOff());
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
