package io.gatewaybench.webmvc;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.websocket.Handshake;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import org.springframework.http.HttpHeaders;

/**
 * Connection to an instance, for the handshake of a WebSocket and what follows it. No
 * client of HTTP gives its connection away after 101.
 */
final class UpstreamSocket implements AutoCloseable {

	private static final int MAX_INTERIM_RESPONSES = 16;

	private static final int HEAD_BUFFER = 1024;

	private final URI url;

	private volatile Socket socket = new Socket();

	private volatile boolean closed;

	private InputStream in = InputStream.nullInputStream();

	private OutputStream out = OutputStream.nullOutputStream();

	UpstreamSocket(URI url) {
		this.url = url;
	}

	/**
	 * Connect to the first address of the host that accepts it, over TLS where the URL
	 * says so.
	 * @param timeout milliseconds until the connection is there; 0 waits for ever
	 * @param certificates what is trusted
	 */
	void connect(int timeout, Supplier<SSLContext> certificates) throws IOException {
		boolean secure = "https".equalsIgnoreCase(this.url.getScheme());
		int port = (this.url.getPort() >= 0) ? this.url.getPort() : (secure ? 443 : 80);
		IOException last = null;
		for (InetAddress address : InetAddress.getAllByName(this.url.getHost())) {
			try {
				replace(new Socket());
				this.socket.connect(new InetSocketAddress(address, port), timeout);
				last = null;
				break;
			}
			catch (IOException ex) {
				this.socket.close();
				last = ex;
			}
		}
		if (last != null) {
			throw last;
		}
		this.socket.setTcpNoDelay(true);
		if (secure) {
			secure(timeout, certificates.get());
		}
		this.in = new BufferedInputStream(this.socket.getInputStream(), HEAD_BUFFER);
		this.out = this.socket.getOutputStream();
	}

	private void secure(int timeout, SSLContext context) throws IOException {
		SSLSocket secured = (SSLSocket) context.getSocketFactory()
			.createSocket(this.socket, this.url.getHost(), this.url.getPort(), true);
		SSLParameters parameters = secured.getSSLParameters();
		// Otherwise any certificate of a trusted authority would do
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		secured.setSSLParameters(parameters);
		replace(secured);
		secured.setSoTimeout(timeout);
		secured.startHandshake();
		secured.setSoTimeout(0);
	}

	/**
	 * Another thread may have closed the one before.
	 */
	private void replace(Socket next) throws IOException {
		this.socket = next;
		if (this.closed) {
			next.close();
		}
	}

	/**
	 * Ask for a WebSocket.
	 * @param headers headers of the request
	 */
	void ask(HttpHeaders headers) throws IOException {
		StringBuilder head = new StringBuilder("GET ").append(this.url.getRawPath());
		if (this.url.getRawQuery() != null) {
			head.append('?').append(this.url.getRawQuery());
		}
		head.append(" HTTP/1.1\r\n");
		if (!headers.containsHeader(HttpHeaders.HOST)) {
			head.append("Host: ").append(this.url.getRawAuthority()).append("\r\n");
		}
		headers.forEach((name, values) -> values
			.forEach((value) -> head.append(name).append(": ").append(value).append("\r\n")));
		head.append("Connection: Upgrade\r\nUpgrade: ").append(Handshake.PROTOCOL).append("\r\n\r\n");
		this.out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
		this.out.flush();
	}

	/**
	 * Read the head of the response.
	 * @param maxSize how large it may be, in bytes
	 */
	Head readHead(int maxSize) throws IOException {
		for (int i = 0; i < MAX_INTERIM_RESPONSES; i++) {
			Head head = new Lines(maxSize).readHead();
			if (head.status() >= 200 || head.status() == 101) {
				return head;
			}
		}
		throw new IOException("The upstream sent more than %d interim responses".formatted(MAX_INTERIM_RESPONSES));
	}

	InputStream in() {
		return this.in;
	}

	OutputStream out() {
		return this.out;
	}

	/**
	 * Tell the upstream that nothing more will come.
	 */
	void shutdownOutput() throws IOException {
		this.socket.shutdownOutput();
	}

	/**
	 * By any thread.
	 */
	@Override
	public void close() {
		this.closed = true;
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// Nobody wants to know how the connection ended
		}
	}

	/**
	 * Head of a response.
	 *
	 * @param status its status
	 * @param headers its headers, as they came
	 */
	record Head(int status, HttpHeaders headers) {

	}

	/**
	 * The lines of one head.
	 */
	private final class Lines {

		private int left;

		Lines(int maxSize) {
			this.left = maxSize;
		}

		Head readHead() throws IOException {
			String line = readLine();
			if (!line.matches("HTTP/1\\.1 [1-9]\\d\\d( .*)?")) {
				throw new IOException("What came from the upstream is not a response");
			}
			MutableHttpHeaders headers = MutableHttpHeaders.copyOf(HttpHeaders.EMPTY);
			for (String field = readLine(); !field.isEmpty(); field = readLine()) {
				int colon = field.indexOf(':');
				if (colon < 0) {
					throw new IOException("The upstream sent a header without a colon");
				}
				headers.add(field.substring(0, colon), field.substring(colon + 1).strip());
			}
			try {
				MutableHttpHeaders.check(headers);
			}
			catch (IllegalArgumentException ex) {
				throw new IOException("The upstream sent a header that is none", ex);
			}
			return new Head(Integer.parseInt(line.substring(9, 12)), headers);
		}

		private String readLine() throws IOException {
			StringBuilder line = new StringBuilder();
			for (int next = next(); next != '\r'; next = next()) {
				line.append((char) next);
			}
			if (next() != '\n') {
				throw new IOException("The upstream sent a head with CR in a line");
			}
			return line.toString();
		}

		private int next() throws IOException {
			int next = UpstreamSocket.this.in.read();
			if (next < 0) {
				throw new EOFException("The upstream closed before the end of the response's head");
			}
			if (--this.left < 0) {
				throw new IOException("The upstream sent too large a head");
			}
			return next;
		}

	}

}
