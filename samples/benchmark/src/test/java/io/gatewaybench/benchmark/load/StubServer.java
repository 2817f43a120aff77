package io.gatewaybench.benchmark.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * A server that answers bytes, or does what a server should not do.
 */
public final class StubServer implements AutoCloseable {

	private final ServerSocket server;

	private final Answer answer;

	private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final AtomicInteger requests = new AtomicInteger();

	private final AtomicInteger inFlight = new AtomicInteger();

	private final AtomicInteger mostInFlight = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	public StubServer(Answer answer) {
		this.answer = answer;
		try {
			this.server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		Thread.startVirtualThread(this::accept);
	}

	public static StubServer answering(String text) {
		byte[] bytes = bytes(text);
		return new StubServer((exchange) -> exchange.send(bytes));
	}

	// A tilde is the end of a line
	static byte[] bytes(String text) {
		return text.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	public int port() {
		return this.server.getLocalPort();
	}

	public int requests() {
		return this.requests.get();
	}

	public int mostInFlight() {
		return this.mostInFlight.get();
	}

	int connections() {
		return this.sockets.size();
	}

	/**
	 * How many connections the client has not closed.
	 */
	public int open() {
		return (int) this.sockets.stream().filter((socket) -> !socket.isClosed()).count();
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.server.accept();
				socket.setTcpNoDelay(true);
				this.sockets.add(socket);
				Thread.startVirtualThread(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			InputStream in = new BufferedInputStream(socket.getInputStream());
			String head = readHead(in);
			while (head != null) {
				int number = this.requests.getAndIncrement();
				this.mostInFlight.accumulateAndGet(this.inFlight.incrementAndGet(), Math::max);
				try {
					this.answer.to(new Exchange(number, head, socket, in));
				}
				finally {
					this.inFlight.decrementAndGet();
				}
				head = readHead(in);
			}
		}
		catch (IOException | InterruptedException ex) {
			// The client or the test closed the connection
		}
	}

	private static @Nullable String readHead(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		int value = in.read();
		while (value >= 0) {
			head.write(value);
			if (value == '\n' && head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
				return head.toString(StandardCharsets.US_ASCII);
			}
			value = in.read();
		}
		return null;
	}

	@Override
	public void close() throws IOException {
		this.closed.countDown();
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	/**
	 * The key of a WebSocket's handshake.
	 */
	static String key(String head) {
		return head.replaceAll("(?s).*\r\nSec-WebSocket-Key: (.*?)\r\n.*", "$1");
	}

	@FunctionalInterface
	public interface Answer {

		void to(Exchange exchange) throws IOException, InterruptedException;

	}

	public final class Exchange {

		private final int number;

		private final String head;

		private final Socket socket;

		private final InputStream in;

		Exchange(int number, String head, Socket socket, InputStream in) {
			this.number = number;
			this.head = head;
			this.socket = socket;
			this.in = in;
		}

		public int number() {
			return this.number;
		}

		public String path() {
			return this.head.split(" ", 3)[1];
		}

		String head() {
			return this.head;
		}

		/**
		 * The right answer to a WebSocket's handshake, without its last line.
		 */
		public String switching() {
			try {
				byte[] hash = MessageDigest.getInstance("SHA-1")
					.digest((key(this.head) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
						.getBytes(StandardCharsets.US_ASCII));
				return "HTTP/1.1 101 Switching Protocols~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Accept: "
						+ Base64.getEncoder().encodeToString(hash) + "~";
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

		byte[] read(int length) throws IOException {
			return this.in.readNBytes(length);
		}

		public void send(byte[] bytes) throws IOException {
			OutputStream out = this.socket.getOutputStream();
			out.write(bytes);
			out.flush();
		}

		public void send(String text) throws IOException {
			send(bytes(text));
		}

		public void close() throws IOException {
			this.socket.close();
		}

		public void reset() throws IOException {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

		public void never() throws InterruptedException {
			StubServer.this.closed.await();
		}

	}

}
