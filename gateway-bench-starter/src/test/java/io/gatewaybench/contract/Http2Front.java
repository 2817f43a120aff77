package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.Http2Connection.Data;
import io.gatewaybench.contract.Http2Connection.Event;
import io.gatewaybench.contract.Http2Connection.Headers;
import io.gatewaybench.contract.Http2Connection.Reset;

/**
 * Stands between a contract and its gateway: speaks HTTP/1.1 with the contract and HTTP/2
 * with the gateway, so that every contract can be run over HTTP/2. Each piece is passed
 * on as it comes, and so is it if the client leaves or the response breaks off.
 */
final class Http2Front implements AutoCloseable {

	private static final Set<String> HOP_BY_HOP = Set.of("host", "connection", "keep-alive", "proxy-connection",
			"transfer-encoding", "upgrade");

	/**
	 * Netty takes more than 200 of them in 30 seconds on one connection for an attack,
	 * and closes it (CVE-2023-44487).
	 */
	private static final int MAX_RESETS = 100;

	private final int gatewayPort;

	private final ServerSocket server;

	private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

	private final Deque<Http2Connection> idle = new ArrayDeque<>();

	Http2Front(int gatewayPort) {
		this.gatewayPort = gatewayPort;
		try {
			this.server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		daemon(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	@Override
	public void close() {
		this.open.add(this.server);
		this.open.forEach((open) -> {
			try {
				open.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				this.open.add(client);
				daemon(() -> serve(client));
			}
		}
		catch (IOException ex) {
			// Closed by the test
		}
	}

	private void serve(Socket client) {
		try (client) {
			client.setTcpNoDelay(true);
			InputStream in = new BufferedInputStream(client.getInputStream());
			while (hasMore(in)) {
				Exchange exchange = new Exchange(client, in);
				if (!exchange.run()) {
					break;
				}
			}
		}
		catch (IOException ex) {
			// The client has left
		}
		finally {
			this.open.remove(client);
		}
	}

	/**
	 * Wait for the next byte, or for the client to leave.
	 */
	private static boolean hasMore(InputStream in) throws IOException {
		in.mark(1);
		boolean more = in.read() >= 0;
		in.reset();
		return more;
	}

	private Http2Connection connection() throws IOException {
		synchronized (this.idle) {
			for (Http2Connection connection = this.idle.poll(); connection != null; connection = this.idle.poll()) {
				if (connection.isOpen()) {
					return connection;
				}
			}
		}
		Http2Connection connection = new Http2Connection(this.gatewayPort);
		this.open.add(connection);
		return connection;
	}

	private void release(Http2Connection connection) {
		if (connection.resets() < MAX_RESETS) {
			synchronized (this.idle) {
				this.idle.push(connection);
			}
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "http2-front");
		thread.setDaemon(true);
		thread.start();
	}

	private final class Exchange {

		private final Socket client;

		private final InputStream in;

		private final String method;

		private final List<String> lines = new ArrayList<>();

		private final Http2Connection connection;

		private final Http2Connection.Stream stream;

		private final boolean chunked;

		private final long length;

		private final boolean close;

		private final CountDownLatch responseEnded = new CountDownLatch(1);

		private volatile boolean whole;

		private Exchange(Socket client, InputStream in) throws IOException {
			this.client = client;
			this.in = in;
			String[] startLine = line().split(" ");
			this.method = startLine[0];
			for (String line = line(); !line.isEmpty(); line = line()) {
				this.lines.add(line);
			}
			List<Map.Entry<String, String>> headers = new ArrayList<>();
			headers.add(Map.entry(":method", this.method));
			headers.add(Map.entry(":scheme", "http"));
			headers.add(Map.entry(":authority", value("host")));
			headers.add(Map.entry(":path", startLine[1]));
			Set<String> dropped = new HashSet<>(HOP_BY_HOP);
			List<String> options = Arrays.asList(value("connection").toLowerCase(Locale.ROOT).split("\\s*,\\s*"));
			dropped.addAll(options);
			for (String line : this.lines) {
				Map.Entry<String, String> header = header(line);
				if (!dropped.contains(header.getKey())
						&& !(header.getKey().equals("te") && !header.getValue().equals("trailers"))) {
					headers.add(header);
				}
			}
			this.close = options.contains("close");
			this.chunked = value("transfer-encoding").equalsIgnoreCase("chunked");
			this.length = this.chunked || value("content-length").isEmpty() ? 0
					: Long.parseLong(value("content-length"));
			this.connection = connection();
			this.stream = this.connection.open(headers, !this.chunked && this.length == 0);
		}

		private boolean run() throws IOException {
			daemon(this::passResponse);
			try {
				if (this.chunked) {
					passChunks();
				}
				else if (this.length > 0) {
					passBytes();
				}
				boolean more = hasMore(this.in);
				if (more) {
					this.responseEnded.await();
				}
				return more && this.whole && !this.close;
			}
			catch (IOException | RuntimeException ex) {
				// Left in the middle of its request
				return false;
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			finally {
				this.stream.reset(Http2Connection.CANCEL);
				release(this.connection);
			}
		}

		/**
		 * Chunks that come together go together, as Tomcat takes many small frames for an
		 * attack.
		 */
		private void passChunks() throws IOException {
			ByteArrayOutputStream together = new ByteArrayOutputStream();
			for (int size = chunkSize(); size > 0; size = chunkSize()) {
				byte[] chunk = this.in.readNBytes(size);
				together.write(chunk);
				if (chunk.length < size || !line().isEmpty()) {
					throw new IOException("The chunk does not end where it should");
				}
				if (this.in.available() == 0) {
					pass(together.toByteArray(), false);
					together.reset();
				}
			}
			List<Map.Entry<String, String>> trailers = new ArrayList<>();
			for (String line = line(); !line.isEmpty(); line = line()) {
				trailers.add(header(line));
			}
			pass(together.toByteArray(), trailers.isEmpty());
			if (!trailers.isEmpty()) {
				this.stream.headers(trailers, true);
			}
		}

		private int chunkSize() throws IOException {
			return Integer.parseInt(line().split(";")[0].trim(), 16);
		}

		private void passBytes() throws IOException {
			byte[] buffer = new byte[16_384];
			for (long left = this.length; left > 0;) {
				int read = this.in.read(buffer, 0, (int) Math.min(left, buffer.length));
				if (read < 0) {
					throw new EOFException();
				}
				left -= read;
				pass(Arrays.copyOf(buffer, read), left == 0);
			}
		}

		private void pass(byte[] bytes, boolean end) {
			try {
				this.stream.data(bytes, end);
			}
			catch (IOException ex) {
				// The server wants no more of it, the client goes on as long as it likes
			}
		}

		private void passResponse() {
			try {
				OutputStream out = this.client.getOutputStream();
				Event event = this.stream.next();
				while (event instanceof Headers interim && interim.status() < 200) {
					write(out, head(interim, ""));
					event = this.stream.next();
				}
				if (event instanceof Headers head) {
					passResponse(out, head);
				}
				if (!this.whole || this.close) {
					this.client.shutdownOutput();
				}
			}
			catch (IOException ex) {
				// The client has left
				try {
					this.stream.reset(Http2Connection.CANCEL);
				}
				catch (IOException suppressed) {
					ex.addSuppressed(suppressed);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				this.responseEnded.countDown();
			}
		}

		private void passResponse(OutputStream out, Headers head) throws IOException, InterruptedException {
			boolean counted = head.headers().stream().anyMatch((header) -> header.getKey().equals("content-length"));
			boolean empty = this.method.equals("HEAD") || head.status() == 204 || head.status() == 304;
			boolean chunks = !counted && !empty && !head.end();
			String framing = chunks ? "transfer-encoding: chunked\r\n" : "";
			write(out, head(head, (counted || empty || chunks) ? framing : "content-length: 0\r\n"));
			Event event = head;
			while (!event.end()) {
				event = this.stream.next();
				if (event instanceof Data data && data.content().length > 0) {
					String size = Integer.toHexString(data.content().length) + "\r\n";
					write(out, chunks ? size : "");
					out.write(data.content());
					write(out, chunks ? "\r\n" : "");
					this.stream.taken(data);
				}
			}
			if (event instanceof Reset) {
				return;
			}
			if (chunks) {
				String trailers = (event instanceof Headers last) ? lines(last) : "";
				write(out, "0\r\n" + trailers + "\r\n");
			}
			this.whole = true;
		}

		private String head(Headers head, String framing) {
			return "HTTP/1.1 %d\r\n%s%s\r\n".formatted(head.status(), lines(head), framing);
		}

		private static String lines(Headers headers) {
			StringBuilder lines = new StringBuilder();
			headers.headers()
				.stream()
				.filter((header) -> !header.getKey().startsWith(":"))
				.forEach((header) -> lines.append("%s: %s\r\n".formatted(header.getKey(), header.getValue())));
			return lines.toString();
		}

		private static void write(OutputStream out, String text) throws IOException {
			out.write(text.getBytes(StandardCharsets.ISO_8859_1));
		}

		private String line() throws IOException {
			StringBuilder line = new StringBuilder();
			for (int character = this.in.read(); character != '\n'; character = this.in.read()) {
				if (character < 0) {
					throw new EOFException();
				}
				line.append((char) character);
			}
			return line.toString().stripTrailing();
		}

		private static Map.Entry<String, String> header(String line) {
			int colon = line.indexOf(':');
			return Map.entry(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
		}

		/**
		 * Value of a header of the request, or nothing.
		 */
		private String value(String name) {
			return this.lines.stream()
				.map(Exchange::header)
				.filter((header) -> header.getKey().equals(name))
				.map(Map.Entry::getValue)
				.findFirst()
				.orElse("");
		}

	}

}
