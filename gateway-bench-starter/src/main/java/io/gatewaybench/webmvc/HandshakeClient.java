package io.gatewaybench.webmvc;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.websocket.Handshake;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Asks instances for a WebSocket in the place of a client, each time on a connection of
 * its own: no client gives its connection away after 101. All that the starter does with
 * attempts stays the same: timeouts, other instances, errors.
 *
 * @param connectTimeout time until the connection is there; zero waits for ever
 * @param certificates what is trusted
 * @param maxHeadSize how large the head of a response may be, in bytes
 * @param all the sessions of the gateway
 * @param open the requests that the container has not completed
 * @param executor starts the threads of sessions
 */
record HandshakeClient(Duration connectTimeout, Supplier<SSLSocketFactory> certificates, int maxHeadSize,
		WebSockets all, OpenRequests open, Executor executor) implements ClientHttpRequestInterceptor {

	private static final int MAX_INTERIM_RESPONSES = 16;

	/** It is held, as its connection is closed at once. */
	private static final int MAX_REFUSAL = 1024 * 1024;

	private static final int MAX_CHUNK_LINE = 1024;

	private static final int UNTIL_CLOSE = Integer.MAX_VALUE;

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		if (!this.all.enter()) {
			throw new UpstreamException(UpstreamFailure.NO_CONNECTION, null);
		}
		AcceptedWebSocket accepted = null;
		try {
			Socket socket = connect(request.getURI());
			try {
				ask(request.getURI(), request.getHeaders(), socket.getOutputStream());
				InputStream in = new BufferedInputStream(socket.getInputStream());
				Response head = head(in);
				if (head.status() != HttpStatus.SWITCHING_PROTOCOLS.value()) {
					return head.with(new ByteArrayInputStream(refusal(head, in)));
				}
				accepted = accepted(request.getHeaders().getFirst(Handshake.KEY), head, socket, in);
				return head.with(accepted);
			}
			finally {
				if (accepted == null) {
					close(socket);
				}
			}
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			throw new IOException("What came from the upstream is not a response", ex);
		}
		finally {
			if (accepted == null) {
				this.all.leave();
			}
		}
	}

	/**
	 * Connect to the first address of the host that accepts it.
	 */
	private Socket connect(URI url) throws IOException {
		SSLSocketFactory secure = "https".equalsIgnoreCase(url.getScheme()) ? this.certificates.get() : null;
		int port = (url.getPort() >= 0) ? url.getPort() : (secure != null) ? 443 : 80;
		int timeout = (int) Math.min(this.connectTimeout.toMillis(), Integer.MAX_VALUE);
		IOException failure = new UnknownHostException(url.getHost());
		for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
			Socket socket = new Socket();
			Attempt.cancelOnTimeout(() -> close(socket));
			try {
				if (Thread.currentThread().isInterrupted()) {
					// The time was over before this socket could be closed
					throw new InterruptedIOException();
				}
				socket.connect(new InetSocketAddress(address, port), timeout);
				socket.setTcpNoDelay(true);
				return (secure != null)
						? secure((SSLSocket) secure.createSocket(socket, url.getHost(), port, true), timeout) : socket;
			}
			catch (IOException ex) {
				close(socket);
				failure = ex;
			}
		}
		throw failure;
	}

	private static Socket secure(SSLSocket socket, int timeout) throws IOException {
		SSLParameters parameters = socket.getSSLParameters();
		// Otherwise any certificate of a trusted authority would do
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		socket.setSSLParameters(parameters);
		socket.setSoTimeout(timeout);
		socket.startHandshake();
		socket.setSoTimeout(0);
		return socket;
	}

	static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// Nobody wants to know how the connection ended
		}
	}

	private static void ask(URI url, HttpHeaders headers, OutputStream out) throws IOException {
		HttpHeaders sent = MutableHttpHeaders.copyOf(headers);
		// There is no body, whatever Spring's client thinks
		sent.remove(HttpHeaders.CONTENT_LENGTH);
		sent.set(HttpHeaders.CONNECTION, HttpHeaders.UPGRADE);
		sent.set(HttpHeaders.UPGRADE, Handshake.PROTOCOL);
		if (!sent.containsHeader(HttpHeaders.HOST)) {
			sent.set(HttpHeaders.HOST, url.getRawAuthority());
		}
		StringBuilder head = new StringBuilder("GET ").append(url.getRawPath());
		if (url.getRawQuery() != null) {
			head.append('?').append(url.getRawQuery());
		}
		head.append(" HTTP/1.1\r\n");
		sent.forEach((name, values) -> values
			.forEach((value) -> head.append(name).append(": ").append(value).append("\r\n")));
		out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
		out.flush();
	}

	private Response head(InputStream in) throws IOException {
		for (int i = 0; i <= MAX_INTERIM_RESPONSES; i++) {
			int left = this.maxHeadSize;
			String start = line(in, left);
			if (!start.matches("HTTP/1\\.1 [1-9]\\d\\d( .*)?")) {
				throw new IOException("What came from the upstream is not a response");
			}
			List<Map.Entry<String, String>> fields = new ArrayList<>();
			for (String line = line(in, left -= start.length()); !line.isEmpty(); line = line(in, left)) {
				int colon = line.indexOf(':');
				fields.add(Map.entry(line.substring(0, colon).stripTrailing(), line.substring(colon + 1).strip()));
				left -= line.length();
			}
			Response head = new Response(HttpStatusCode.valueOf(Integer.parseInt(start, 9, 12, 10)),
					MutableHttpHeaders.of(fields), InputStream.nullInputStream());
			if (head.status() >= HttpStatus.OK.value() || head.status() == HttpStatus.SWITCHING_PROTOCOLS.value()) {
				MutableHttpHeaders.check(head.getHeaders());
				return head;
			}
		}
		throw new IOException("The upstream sent more than %d interim responses".formatted(MAX_INTERIM_RESPONSES));
	}

	private static String line(InputStream in, int maxLength) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\r'; next = in.read()) {
			if (next < 0 || line.length() >= maxLength) {
				throw new EOFException("The upstream broke off its response, or sent too long a head");
			}
			line.append((char) next);
		}
		if (in.read() != '\n') {
			throw new IOException("The upstream sent CR within a line");
		}
		return line.toString();
	}

	private AcceptedWebSocket accepted(@Nullable String key, Response head, Socket socket, InputStream in)
			throws IOException {
		Attempt attempt = Attempt.ofThread();
		if (attempt == null || !Handshake.isAccepted(key, head.getHeaders())) {
			throw new IOException("The upstream accepted another WebSocket than it was asked for");
		}
		head.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
		AcceptedWebSocket accepted = new AcceptedWebSocket(socket, in, this);
		attempt.accepted(accepted);
		return accepted;
	}

	private static byte[] refusal(Response head, InputStream in) throws IOException {
		List<String> lengths = head.getHeaders().getOrEmpty(HttpHeaders.CONTENT_LENGTH);
		List<String> codings = head.getHeaders().getOrEmpty(HttpHeaders.TRANSFER_ENCODING);
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		if (head.status() == HttpStatus.NO_CONTENT.value() || head.status() == HttpStatus.NOT_MODIFIED.value()) {
			return body.toByteArray();
		}
		if (lengths.size() + codings.size() > 1 || !codings.stream().allMatch("chunked"::equalsIgnoreCase)) {
			throw new IOException("Nobody knows where the response ends");
		}
		if (!lengths.isEmpty()) {
			copy(in, Integer.parseInt(lengths.get(0)), body);
		}
		else if (codings.isEmpty()) {
			copy(in, UNTIL_CLOSE, body);
		}
		else {
			// The connection serves no other request, so nobody needs the trailers
			for (int size = chunk(in); size != 0; size = chunk(in)) {
				copy(in, size, body);
				line(in, 0);
			}
		}
		return body.toByteArray();
	}

	private static int chunk(InputStream in) throws IOException {
		return Integer.parseInt(line(in, MAX_CHUNK_LINE).split("[; \t]", 2)[0], 16);
	}

	private static void copy(InputStream in, int size, ByteArrayOutputStream body) throws IOException {
		int before = body.size();
		body.write(in.readNBytes(Math.min(size, MAX_REFUSAL + 1 - before)));
		if (body.size() > MAX_REFUSAL) {
			throw new IOException("The response is too large for one that refuses a WebSocket");
		}
		if (size != UNTIL_CLOSE && body.size() - before < size) {
			throw new EOFException("The upstream broke off its response");
		}
	}

	/**
	 * A response, first without its body.
	 */
	private record Response(HttpStatusCode getStatusCode, HttpHeaders getHeaders,
			InputStream getBody) implements ClientHttpResponse {

		int status() {
			return this.getStatusCode.value();
		}

		Response with(InputStream body) {
			return new Response(this.getStatusCode, this.getHeaders, body);
		}

		@Override
		public String getStatusText() {
			return "";
		}

		@Override
		public void close() {
			if (this.getBody instanceof AcceptedWebSocket webSocket) {
				webSocket.close();
			}
		}

	}

}
