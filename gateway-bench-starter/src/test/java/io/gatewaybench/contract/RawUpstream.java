package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;

/**
 * An upstream that answers with the very bytes it is told to, and remembers the very
 * bytes that it was asked with.
 */
final class RawUpstream implements AutoCloseable {

	private static final Answer NO_CONTENT = bytes("HTTP/1.1 204 No Content\r\n\r\n");

	private static final Answer NOTHING = bytes("");

	private final ServerSocket server;

	private final Thread acceptor;

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	private final Set<Socket> idle = ConcurrentHashMap.newKeySet();

	private final Set<Socket> reading = ConcurrentHashMap.newKeySet();

	private final BlockingQueue<Message> requests = new LinkedBlockingQueue<>();

	private final AtomicInteger accepted = new AtomicInteger();

	private volatile boolean resetting;

	private volatile Answer answer = NO_CONTENT;

	private volatile Answer earlyAnswer = NOTHING;

	RawUpstream() throws IOException {
		this(0);
	}

	/**
	 * An upstream that comes back where one was before.
	 */
	RawUpstream(int port) throws IOException {
		this(new ServerSocket(), port);
	}

	/**
	 * An upstream over TLS.
	 */
	RawUpstream(SSLContext context, boolean asksForCertificate) throws IOException {
		this(serverSocket(context, asksForCertificate), 0);
	}

	private static ServerSocket serverSocket(SSLContext context, boolean asksForCertificate) throws IOException {
		SSLServerSocket socket = (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
		socket.setNeedClientAuth(asksForCertificate);
		return socket;
	}

	private RawUpstream(ServerSocket server, int port) throws IOException {
		this.server = server;
		this.server.setReuseAddress(true);
		this.server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
		this.acceptor = daemon(this::accept);
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getLocalPort();
	}

	void answer(Answer answer) {
		this.answer = answer;
	}

	void answer(String response) {
		answer(bytes(response));
	}

	/**
	 * What to do as soon as the head of a request is there, before its body is read.
	 */
	void answerEarly(Answer answer) {
		this.earlyAnswer = answer;
	}

	void answerEarly(String response) {
		answerEarly(bytes(response));
	}

	/**
	 * Reset every connection from now on as soon as it is there.
	 */
	void resetConnections() {
		this.resetting = true;
	}

	/**
	 * Close the connections that there are, and give the gateway the time to notice.
	 */
	void closeConnections() throws IOException {
		for (Socket connection : this.connections) {
			connection.close();
		}
		pause();
	}

	/**
	 * Be as new for the next test: nothing that this one has told it or sent to it is
	 * left. Connections that wait in a pool stay open, as a request with a body may meet
	 * a closed one and fail; they count again when they are used again.
	 */
	void startOver() throws IOException {
		// The gateway may have sent all of a request, and keep the connection for the
		// next one
		Awaitility.await().pollDelay(Duration.ZERO).atMost(Duration.ofSeconds(20)).until(this.reading::isEmpty);
		this.answer = NO_CONTENT;
		this.earlyAnswer = NOTHING;
		this.resetting = false;
		// A client has its response a moment before the connection is idle
		int pauses = 0;
		do {
			LockSupport.parkNanos(5_000_000);
		}
		while (!this.idle.containsAll(this.connections) && ++pauses < 10);
		this.connections.removeAll(this.idle);
		if (!this.connections.isEmpty()) {
			// The gateway may send a request again for which it has no response
			closeConnections();
		}
		this.requests.clear();
		this.accepted.set(0);
	}

	private static void pause() {
		LockSupport.parkNanos(50_000_000);
	}

	int port() {
		return this.server.getLocalPort();
	}

	/**
	 * How many connections there have been.
	 */
	int acceptedConnections() {
		return this.accepted.get();
	}

	/**
	 * How many connections there are.
	 */
	int openConnections() {
		return this.connections.size();
	}

	/**
	 * How many requests have come that nobody has asked for yet.
	 */
	int pendingRequests() {
		return this.requests.size();
	}

	/**
	 * The next request that came, waited for.
	 */
	Message request() throws InterruptedException {
		Message request = this.requests.poll(20, TimeUnit.SECONDS);
		if (request == null) {
			throw new AssertionError("No request came to the upstream");
		}
		return request;
	}

	/**
	 * The next request of a path, waited for. One of an earlier test may come in between:
	 * the gateway repeats a request whose connection breaks off after its test has ended.
	 */
	Message requestOf(String path) throws InterruptedException {
		Message request = request();
		while (!request.startLine().contains(path)) {
			request = request();
		}
		return request;
	}

	/**
	 * Wait for what the test does meanwhile.
	 */
	static void await(CountDownLatch latch) throws IOException {
		try {
			if (!latch.await(20, TimeUnit.SECONDS)) {
				throw new IOException("What the upstream waits for did not happen");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static Answer bytes(String response) {
		return (out) -> out.write(response.getBytes(StandardCharsets.UTF_8));
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.server.accept();
				this.accepted.incrementAndGet();
				if (this.resetting) {
					socket.setSoLinger(true, 0);
					socket.close();
					continue;
				}
				// The kernel would hold a piece until the gateway has confirmed the last
				// one
				socket.setTcpNoDelay(true);
				this.connections.add(socket);
				daemon(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed by the test
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			PushbackInputStream in = new PushbackInputStream(socket.getInputStream());
			this.idle.add(socket);
			for (int first = in.read(); first >= 0; first = in.read()) {
				in.unread(first);
				if (this.connections.add(socket)) {
					this.accepted.incrementAndGet();
				}
				this.reading.add(socket);
				this.idle.remove(socket);
				if (this.resetting) {
					socket.setSoLinger(true, 0);
					return;
				}
				this.requests.add(Message.read(in, false, () -> answerEarly(socket)));
				Answer last = this.answer;
				this.reading.remove(socket);
				answer(socket, last);
				this.idle.add(socket);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			// The gateway or the answer closed the connection
		}
		finally {
			this.connections.remove(socket);
			this.idle.remove(socket);
			this.reading.remove(socket);
		}
	}

	private void answerEarly(Socket socket) {
		try {
			answer(socket, this.earlyAnswer);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void answer(Socket socket, Answer answer) throws IOException {
		try {
			answer.writeTo(socket.getOutputStream());
			socket.getOutputStream().flush();
		}
		catch (Reset ex) {
			socket.setSoLinger(true, 0);
			throw ex;
		}
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, "raw-upstream");
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		try {
			// Until it has noticed, it takes one more connection, and answers on it
			this.acceptor.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.connections.addAll(this.idle);
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

	/**
	 * What to do with the connection when a request has come; throw to close it.
	 */
	interface Answer {

		void writeTo(OutputStream out) throws IOException;

	}

	/**
	 * Thrown by an answer to reset the connection.
	 */
	static final class Reset extends IOException {

		private static final long serialVersionUID = 1L;

	}

}
