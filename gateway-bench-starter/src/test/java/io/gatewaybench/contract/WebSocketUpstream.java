package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.contract.WebSocketPeer.Frame;

/**
 * An upstream that follows a script on each connection, from the head of the request on.
 */
final class WebSocketUpstream implements AutoCloseable {

	/**
	 * Sends every frame back, until a Close frame.
	 */
	static final Script ECHO = (peer) -> {
		peer.accept();
		echo(peer);
	};

	private final ServerSocket server;

	private final BlockingQueue<Message> handshakes = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private volatile Script script = ECHO;

	WebSocketUpstream() throws IOException {
		this(new ServerSocket());
	}

	WebSocketUpstream(ServerSocket server) throws IOException {
		this.server = server;
		this.server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2_000);
		daemon(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	String url() {
		return "http://127.0.0.1:" + port();
	}

	void follow(Script next) {
		this.script = next;
	}

	int accepted() {
		return this.accepted.get();
	}

	/**
	 * Be as new for the next test.
	 */
	void startOver() {
		this.script = ECHO;
		this.handshakes.clear();
		this.ends.clear();
		this.accepted.set(0);
	}

	Message handshake() throws InterruptedException {
		return require(this.handshakes.poll(20, TimeUnit.SECONDS), "No handshake came");
	}

	/**
	 * How the next connection ended: {@code end} or {@code reset}.
	 */
	String end() throws InterruptedException {
		return require(this.ends.poll(20, TimeUnit.SECONDS), "No connection ended");
	}

	private static <T> T require(T value, String message) {
		if (value == null) {
			throw new AssertionError(message);
		}
		return value;
	}

	static void echo(WebSocketPeer peer) throws IOException {
		Frame frame;
		do {
			frame = peer.read();
			peer.send(frame.first(), frame.payload());
		}
		while (frame.first() != WebSocketPeer.CLOSE);
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.server.accept();
				this.connections.add(socket);
				daemon(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed by the test
		}
	}

	private void serve(Socket socket) {
		try (WebSocketPeer peer = WebSocketPeer.server(socket)) {
			this.accepted.incrementAndGet();
			this.handshakes.add(peer.readHead());
			this.script.play(peer);
			this.ends.add("end");
		}
		catch (IOException ex) {
			this.ends.add((ex instanceof SocketException) ? "reset" : "end");
		}
		finally {
			this.connections.remove(socket);
		}
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "web-socket-upstream");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

	/**
	 * What to do with a connection whose request has come. Its end closes the connection.
	 */
	interface Script {

		void play(WebSocketPeer peer) throws IOException;

	}

}
