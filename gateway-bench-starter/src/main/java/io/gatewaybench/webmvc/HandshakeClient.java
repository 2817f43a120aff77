package io.gatewaybench.webmvc;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

import io.gatewaybench.internal.websocket.Handshake;

import javax.net.ssl.SSLContext;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Asks instances for a WebSocket. A response of another kind is one as of any client. All
 * that the starter does with attempts stays the same: timeouts, other instances, errors.
 */
final class HandshakeClient implements ClientHttpRequestFactory {

	private final Duration connectTimeout;

	private final Supplier<SSLContext> certificates;

	private final int maxHeadSize;

	HandshakeClient(Duration connectTimeout, Supplier<SSLContext> certificates, int maxHeadSize) {
		this.connectTimeout = connectTimeout;
		this.certificates = certificates;
		this.maxHeadSize = maxHeadSize;
	}

	@Override
	public ClientHttpRequest createRequest(URI url, HttpMethod method) {
		return new Request(url);
	}

	private ClientHttpResponse send(URI url, HttpHeaders headers) throws IOException {
		UpstreamSocket socket = new UpstreamSocket(url);
		boolean answered = false;
		try {
			Attempt.cancelOnTimeout(socket::close);
			socket.connect((int) Math.min(this.connectTimeout.toMillis(), Integer.MAX_VALUE), this.certificates);
			socket.ask(headers);
			UpstreamSocket.Head head = socket.readHead(this.maxHeadSize);
			ClientHttpResponse response = new Response(head, body(head, headers, socket));
			answered = true;
			return response;
		}
		finally {
			if (!answered) {
				socket.close();
			}
		}
	}

	private static InputStream body(UpstreamSocket.Head head, HttpHeaders asked, UpstreamSocket socket)
			throws IOException {
		HttpHeaders headers = head.headers();
		if (head.status() == HttpStatus.SWITCHING_PROTOCOLS.value()) {
			if (!Handshake.isAccepted(asked.getFirst(Handshake.KEY), headers)) {
				throw new IOException("The upstream accepted another WebSocket than it was asked for");
			}
			headers.remove(HttpHeaders.CONTENT_LENGTH);
			Attempt attempt = Attempt.ofThread();
			if (attempt == null) {
				throw new IOException("Nobody wants the WebSocket");
			}
			attempt.upgraded(socket);
			return InputStream.nullInputStream();
		}
		boolean empty = head.status() == HttpStatus.NO_CONTENT.value()
				|| head.status() == HttpStatus.NOT_MODIFIED.value();
		String coding = headers.getFirst(HttpHeaders.TRANSFER_ENCODING);
		if (coding == null) {
			return new Body(socket, empty ? 0 : length(headers), false);
		}
		if (!"chunked".equalsIgnoreCase(coding) || headers.containsHeader(HttpHeaders.CONTENT_LENGTH)
				|| headers.getOrEmpty(HttpHeaders.TRANSFER_ENCODING).size() > 1) {
			throw new IOException("Nobody knows where the response ends");
		}
		return new Body(socket, 0, !empty);
	}

	private static long length(HttpHeaders headers) throws IOException {
		if (!headers.containsHeader(HttpHeaders.CONTENT_LENGTH)) {
			return Long.MAX_VALUE;
		}
		String length = headers.getOrEmpty(HttpHeaders.CONTENT_LENGTH).get(0);
		if (headers.getOrEmpty(HttpHeaders.CONTENT_LENGTH).size() > 1 || !length.matches("\\d{1,18}")) {
			throw new IOException("The length of the response is malformed");
		}
		return Long.parseLong(length);
	}

	private final class Request extends AbstractClientHttpRequest {

		private final URI url;

		Request(URI url) {
			this.url = url;
		}

		@Override
		public HttpMethod getMethod() {
			return HttpMethod.GET;
		}

		@Override
		public URI getURI() {
			return this.url;
		}

		@Override
		protected OutputStream getBodyInternal(HttpHeaders headers) {
			return OutputStream.nullOutputStream();
		}

		@Override
		protected ClientHttpResponse executeInternal(HttpHeaders headers) throws IOException {
			return send(this.url, headers);
		}

	}

	private record Response(UpstreamSocket.Head head, InputStream getBody) implements ClientHttpResponse {

		@Override
		public HttpStatusCode getStatusCode() {
			return HttpStatusCode.valueOf(this.head.status());
		}

		@Override
		public String getStatusText() {
			return "";
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.head.headers();
		}

		@Override
		public void close() {
			try {
				this.getBody.close();
			}
			catch (IOException ex) {
				// Nobody wants to know how the connection ended
			}
		}

	}

	/**
	 * Body of a response to which the connection belongs.
	 */
	private static final class Body extends InputStream {

		private final UpstreamSocket socket;

		private final boolean chunked;

		private final boolean untilClose;

		private long left;

		private boolean begun;

		private boolean ended;

		Body(UpstreamSocket socket, long length, boolean chunked) {
			this.socket = socket;
			this.left = length;
			this.chunked = chunked;
			this.untilClose = length == Long.MAX_VALUE;
		}

		@Override
		public int read() throws IOException {
			byte[] single = new byte[1];
			return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xff;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			if (this.left == 0 && this.chunked && !this.ended) {
				nextChunk();
			}
			if (this.left == 0 || length == 0) {
				return (length == 0) ? 0 : -1;
			}
			int count = this.socket.in().read(target, offset, (int) Math.min(length, this.left));
			if (count < 0 && !this.untilClose) {
				throw new EOFException("The upstream broke off its response");
			}
			this.left -= this.untilClose ? 0 : Math.max(count, 0);
			return count;
		}

		private void nextChunk() throws IOException {
			if (this.begun) {
				line();
			}
			this.begun = true;
			String size = line().split("[; \t]", 2)[0];
			if (!size.matches("[0-9a-fA-F]{1,15}")) {
				throw new IOException("The upstream sent a malformed chunk");
			}
			this.left = Long.parseLong(size, 16);
			// The connection serves no other request, so nobody needs the trailers
			this.ended = this.left == 0;
		}

		private String line() throws IOException {
			StringBuilder line = new StringBuilder();
			for (int next = this.socket.in().read(); next != '\n'; next = this.socket.in().read()) {
				if (next < 0 || line.length() > 1024) {
					throw new EOFException("The upstream broke off its response");
				}
				line.append((char) next);
			}
			return line.toString().strip();
		}

		@Override
		public void close() {
			this.socket.close();
		}

	}

}
