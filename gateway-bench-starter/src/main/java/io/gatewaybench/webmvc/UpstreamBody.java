package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

import io.gatewaybench.upstream.UpstreamException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Body of a response as it comes from the upstream, which remembers how it ended. Spring
 * takes an upstream that breaks off for a client that left, and then completes the
 * response as if all were well; the filters around the exchange need to know better. It
 * stands for the response, too, which the retry filter of the gateway closes: that of a
 * client would read on to its end.
 */
final class UpstreamBody extends InputStream implements ClientHttpResponse {

	private static final String ATTRIBUTE = UpstreamBody.class.getName();

	private static final int WORTH_READING = 64 * 1024;

	private final InputStream delegate;

	private final ClientHttpResponse response;

	private final @Nullable ResponseWatch watch;

	private boolean begun;

	private boolean ended;

	private @Nullable UpstreamException failure;

	private UpstreamBody(InputStream delegate, ClientHttpResponse response, @Nullable ResponseWatch watch) {
		this.delegate = delegate;
		this.response = response;
		this.watch = watch;
	}

	/**
	 * Watch the body of the response that has just come.
	 * @return the body, or {@code null} if the response has none
	 */
	static @Nullable UpstreamBody begin(ServerRequest request) {
		ClientHttpResponse response = MvcUtils.getAttribute(request, MvcUtils.CLIENT_RESPONSE_ATTR);
		InputStream body = MvcUtils.getAttribute(request, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR);
		return (response != null && body != null)
				? new UpstreamBody(body, response, ResponseWatch.of(request.servletRequest())) : null;
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

	/**
	 * Let go of the response of an earlier exchange of the same request, which a filter
	 * of the gateway has found wanting.
	 */
	static void detachFrom(HttpServletRequest request) {
		UpstreamBody previous = of(request);
		if (previous != null) {
			previous.drop();
			request.removeAttribute(ATTRIBUTE);
		}
	}

	/**
	 * The exchange is over, and its response goes to the filters and to the client.
	 */
	void attachTo(HttpServletRequest request) {
		this.begun = false;
		request.setAttribute(ATTRIBUTE, this);
		if (this.watch != null && !this.watch.handOver()) {
			drop();
		}
	}

	/**
	 * Whether it is on its way to the client. It is not if the gateway answers in its
	 * place.
	 */
	boolean isBegun() {
		return this.begun;
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
		return this.failure != null;
	}

	/**
	 * How the upstream broke off.
	 */
	UpstreamException failure() {
		return Objects.requireNonNull(this.failure);
	}

	@Override
	public int read() throws IOException {
		byte[] single = new byte[1];
		return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xff;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		begin();
		try {
			int result = this.delegate.read(target, offset, length);
			end(result);
			return result;
		}
		catch (IOException | RuntimeException ex) {
			throw broken(ex);
		}
	}

	private void begin() {
		this.begun = true;
		if (this.watch != null) {
			this.watch.awaitBytes();
		}
	}

	private void end(int result) {
		if (this.watch != null) {
			this.watch.arrived();
		}
		if (result < 0 && !this.ended) {
			this.ended = true;
			if (this.watch != null) {
				this.watch.completed();
			}
		}
	}

	/**
	 * Reactor Netty's client tells of broken chunks by an exception of its own. It is no
	 * cause of what is thrown: Spring MVC would find the status in it and answer with an
	 * error page.
	 */
	private IOException broken(Exception cause) {
		if (this.watch != null) {
			this.watch.arrived();
			this.failure = this.watch.broken(cause);
		}
		else {
			this.failure = UpstreamException.broken(cause);
		}
		if (cause instanceof IOException error) {
			return error;
		}
		IOException error = new IOException("The upstream broke off its response");
		error.addSuppressed(cause);
		return error;
	}

	@Override
	public HttpStatusCode getStatusCode() throws IOException {
		return this.response.getStatusCode();
	}

	@Override
	public String getStatusText() throws IOException {
		return this.response.getStatusText();
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.response.getHeaders();
	}

	@Override
	public InputStream getBody() {
		return this;
	}

	/**
	 * Read what is left if that is cheaper than another connection, else give up the
	 * connection: what is left may be without end.
	 */
	@Override
	public void close() {
		if (!this.ended && !isBroken() && isShort()) {
			readRest();
		}
		drop();
	}

	/**
	 * End a body that nobody wants, without waiting for the rest of it.
	 */
	void drop() {
		try {
			abort(this.delegate);
		}
		catch (IOException | RuntimeException ex) {
			// Nor does anybody want to know how its connection ended
		}
	}

	private boolean isShort() {
		try {
			long length = getHeaders().getContentLength();
			return length >= 0 && length <= WORTH_READING;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Nobody reads it, so the instance is not blamed if it breaks off.
	 */
	private void readRest() {
		ResponseWatch current = this.watch;
		if (current == null) {
			// Nothing would end the wait
			return;
		}
		current.awaitRest();
		try {
			this.delegate.transferTo(OutputStream.nullOutputStream());
			end(-1);
		}
		catch (IOException | RuntimeException ex) {
			current.arrived();
		}
	}

}
