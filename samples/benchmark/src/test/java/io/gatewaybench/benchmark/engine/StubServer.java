package io.gatewaybench.benchmark.engine;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that answers bytes, or does what a server should not do.
 */
final class StubServer implements AutoCloseable {

	private final ServerSocket server;

	private final Answer answer;

	private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final AtomicInteger requests = new AtomicInteger();

	private final AtomicInteger inFlight = new AtomicInteger();

	private final AtomicInteger mostInFlight = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	StubServer(Answer answer) {
		this.answer = answer;
		try {
			this.server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		Thread.startVirtualThread(this::accept);
	}

	static StubServer answering(String text) {
		byte[] bytes = bytes(text);
		return new StubServer((exchange) -> exchange.send(bytes));
	}

	// A tilde is the end of a line
	static byte[] bytes(String text) {
		return text.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	int port() {
		return this.server.getLocalPort();
	}

	int requests() {
		return this.requests.get();
	}

	int mostInFlight() {
		return this.mostInFlight.get();
	}

	int connections() {
		return this.sockets.size();
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
			while (readHead(in)) {
				int number = this.requests.getAndIncrement();
				this.mostInFlight.accumulateAndGet(this.inFlight.incrementAndGet(), Math::max);
				try {
					this.answer.to(new Exchange(number, socket));
				}
				finally {
					this.inFlight.decrementAndGet();
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			// The client or the test closed the connection
		}
	}

	private static boolean readHead(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		int value = in.read();
		while (value >= 0) {
			head.write(value);
			if (value == '\n' && head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
				return true;
			}
			value = in.read();
		}
		return false;
	}

	@Override
	public void close() throws IOException {
		this.closed.countDown();
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@FunctionalInterface
	interface Answer {

		void to(Exchange exchange) throws IOException, InterruptedException;

	}

	final class Exchange {

		private final int number;

		private final Socket socket;

		Exchange(int number, Socket socket) {
			this.number = number;
			this.socket = socket;
		}

		int number() {
			return this.number;
		}

		void send(byte[] bytes) throws IOException {
			OutputStream out = this.socket.getOutputStream();
			out.write(bytes);
			out.flush();
		}

		void send(String text) throws IOException {
			send(bytes(text));
		}

		void close() throws IOException {
			this.socket.close();
		}

		void reset() throws IOException {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

		void never() throws InterruptedException {
			StubServer.this.closed.await();
		}

	}

}
