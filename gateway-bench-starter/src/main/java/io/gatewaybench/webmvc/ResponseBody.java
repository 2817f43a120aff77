package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.upstream.UpstreamException;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Body of a response on its way from the upstream to the client. It adds the field if the
 * route asks for it, and remembers how the body ended. Spring takes an upstream that
 * breaks off for a client that left, and completes the response as if it were whole. The
 * filters around the exchange ask this object instead. It is the response, too, because
 * the gateway's retry filter closes the response, and a client's response would read on
 * to its end.
 */
final class ResponseBody extends InputStream implements ClientHttpResponse {

	private static final int WORTH_READING = 64 * 1024;

	private static final int MAX_BUFFER = 16 * 1024;

	/** Another connection takes no longer. */
	private static final Duration REST = Duration.ofMillis(100);

	private final InputStream delegate;

	private final ClientHttpResponse response;

	private final GatewayExchange exchange;

	private final ProxiedBody proxied;

	private final Attempt attempt;

	private final PromptOutputs prompt;

	private volatile @Nullable RewrittenBody rewritten;

	private HttpHeaders headersToClient = HttpHeaders.EMPTY;

	private @Nullable PromptOutput client;

	private boolean begun;

	private boolean ended;

	private @Nullable UpstreamException failure;

	/**
	 * Create the body.
	 * @param delegate stream of the client for upstreams
	 * @param response response of the client for upstreams
	 * @param exchange the exchange that it belongs to
	 * @param attempt the attempt that has got it
	 * @param prompt what makes an output send on what is there
	 */
	ResponseBody(InputStream delegate, ClientHttpResponse response, GatewayExchange exchange, Attempt attempt,
			PromptOutputs prompt) {
		this.delegate = delegate;
		this.response = response;
		this.exchange = exchange;
		this.attempt = attempt;
		this.prompt = prompt;
		this.proxied = exchange.upstream().bodyBegins(attempt);
	}

	/**
	 * The body of the response that has just come.
	 * @param exchange the exchange that it belongs to
	 * @param attempt the attempt that has got it
	 * @param prompt what makes an output send on what is there
	 * @return the body, or {@code null} if the response has none
	 */
	static @Nullable ResponseBody begin(ServerRequest request, GatewayExchange exchange, Attempt attempt,
			PromptOutputs prompt) {
		ClientHttpResponse response = MvcUtils.getAttribute(request, MvcUtils.CLIENT_RESPONSE_ATTR);
		InputStream body = MvcUtils.getAttribute(request, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR);
		return (response != null && body != null) ? new ResponseBody(body, response, exchange, attempt, prompt) : null;
	}

	/**
	 * Nobody else knows of the response yet, so its connection would never be given back.
	 */
	static void abandon(ServerRequest request) {
		InputStream body = MvcUtils.getAttribute(request, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR);
		if (body != null) {
			abortQuietly(body);
		}
	}

	private static void abortQuietly(InputStream body) {
		try {
			abort(body);
		}
		catch (IOException | RuntimeException ex) {
			// Nobody wants to know how the connection ended
		}
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
	 * Rewrite the body from now on. Reads until the first bytes are ready to leave.
	 * @param length how many bytes are to come, or -1 if unknown
	 * @param rewriter what rewrites it
	 * @param afterLast called when the last byte has been read
	 * @return the body, from which the headers follow
	 * @throws IOException if the upstream breaks off
	 */
	HeldBody<ByteBuffer> rewrite(long length, BodyRewriter rewriter, Consumer<RewriteOutcome> afterLast)
			throws IOException {
		this.proxied.bodyHeld();
		RewrittenBody begun = new RewrittenBody(this, length, rewriter, afterLast);
		this.rewritten = begun;
		return begun.begin();
	}

	/**
	 * Remember what goes to the client with it.
	 * @param headers the headers, which filters may still change
	 */
	void leavesWith(HttpHeaders headers) {
		this.headersToClient = headers;
	}

	/**
	 * The headers that go to the client with it.
	 */
	HttpHeaders headersToClient() {
		return this.headersToClient;
	}

	/**
	 * The client gets no more of it. If it has got a part only, and that is not the
	 * upstream's fault, it has left.
	 */
	void clientLeft() {
		if (this.begun && !this.ended && !isBroken()) {
			this.proxied.clientLeft();
		}
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
		this.begun = true;
		return (this.rewritten != null) ? this.rewritten.read(target, offset, length)
				: readUpstream(target, offset, length);
	}

	@Override
	public long transferTo(OutputStream out) throws IOException {
		this.begun = true;
		RewrittenBody current = this.rewritten;
		long length = (current != null) ? -1 : getHeaders().getContentLength();
		try (PromptOutput client = this.prompt.of(out, length)) {
			this.client = client;
			return (current != null) ? current.transferTo(client) : transfer(this, client, length);
		}
		finally {
			this.client = null;
		}
	}

	/**
	 * Pass a body on. Java's way takes 16 KB of memory, however short the body is.
	 * @param length how long it is, or -1 if unknown
	 */
	static long transfer(InputStream body, OutputStream out, long length) throws IOException {
		// One more than the body, as nothing could be read into an empty one
		byte[] buffer = new byte[(length >= 0 && length < MAX_BUFFER) ? (int) length + 1 : MAX_BUFFER];
		long transferred = 0;
		for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
			out.write(buffer, 0, read);
			transferred += read;
		}
		return transferred;
	}

	int readUpstream(byte[] target, int offset, int length) throws IOException {
		PromptOutput client = this.client;
		this.attempt.await();
		this.proxied.bytesAwaited();
		if (client != null) {
			client.await();
		}
		int result;
		try {
			result = this.delegate.read(target, offset, length);
		}
		catch (IOException | RuntimeException ex) {
			arrived();
			throw broken(ex);
		}
		arrived();
		if (result < 0 && !this.ended) {
			end();
		}
		return result;
	}

	private boolean endsWithConnection() throws IOException {
		HttpHeaders headers = getHeaders();
		int status = getStatusCode().value();
		return !headers.containsHeader(HttpHeaders.CONTENT_LENGTH)
				&& !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING) && status != HttpStatus.NO_CONTENT.value()
				&& status != HttpStatus.NOT_MODIFIED.value();
	}

	private void arrived() {
		this.proxied.bytesArrived();
		this.attempt.arrived();
		if (this.client != null) {
			this.client.arrived();
		}
	}

	private void end() throws IOException {
		if (this.attempt.hasFailedToSend() && endsWithConnection()) {
			throw failed(this.proxied.bodyBroke(new SocketException("The upstream broke off during the request")));
		}
		UpstreamException missing = this.proxied.bodyEnded();
		if (missing != null) {
			throw failed(missing);
		}
		this.ended = true;
	}

	/**
	 * Reactor Netty's client tells of broken chunks by an exception of its own.
	 */
	private IOException broken(Exception cause) {
		if (Thread.currentThread().isInterrupted()) {
			// By a circuit breaker, which is no fault of the instance
			this.exchange.end();
		}
		IOException error = failed(this.proxied.bodyBroke(cause));
		return (cause instanceof IOException own) ? own : error;
	}

	/**
	 * The failure is no cause of what is thrown: Spring MVC would find the status in it
	 * and answer with an error page.
	 */
	private IOException failed(UpstreamException failure) {
		this.failure = failure;
		IOException error = new IOException(failure.getReason());
		error.addSuppressed(failure);
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
		if (this.rewritten != null) {
			this.rewritten.close();
		}
		if (!this.ended && !isBroken() && isShort()) {
			readRest();
		}
		drop();
	}

	/**
	 * End a body that is not needed any more, without waiting for the rest of it.
	 */
	void drop() {
		this.proxied.bodyDropped();
		RewrittenBody current = this.rewritten;
		if (current != null) {
			current.drop();
		}
		abortQuietly(this.delegate);
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
		this.attempt.await();
		try {
			if (this.proxied.restAwaited(REST)) {
				this.delegate.transferTo(OutputStream.nullOutputStream());
				arrived();
				end();
			}
		}
		catch (IOException | RuntimeException ex) {
			// The connection can't be used again
		}
		finally {
			arrived();
		}
	}

}
