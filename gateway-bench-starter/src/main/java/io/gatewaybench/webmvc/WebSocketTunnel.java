package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.gatewaybench.internal.tomcat.UpgradedConnection;
import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.websocket.Frames;
import io.gatewaybench.internal.websocket.Handshake;
import io.gatewaybench.internal.websocket.WebSocketSession;
import io.gatewaybench.internal.websocket.WebSockets;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Copies the bytes of a WebSocket in both directions. One thread waits for the upstream,
 * and another one sends on what the client has sent. What one side does not take is not
 * read from the other one.
 */
final class WebSocketTunnel implements UpgradedConnection.Peer, Abortable {

	private static final int BUFFER = 8 * 1024;

	private static final int FAREWELL_SECONDS = 1;

	private final UpstreamSocket upstream;

	private final Executor executor;

	private final Duration idleTimeout;

	private final Runnable afterEnd;

	private final WebSocketSession session;

	private final ReentrantLock toClient = new ReentrantLock();

	private final ReentrantLock toUpstream = new ReentrantLock();

	private volatile @Nullable UpgradedConnection client;

	/**
	 * An instance has accepted the session.
	 * @param upstream the connection to it
	 * @param name name of the upstream
	 * @param all the sessions of the gateway
	 * @param executor starts the threads
	 * @param afterEnd called when both sides are closed
	 */
	WebSocketTunnel(UpstreamSocket upstream, String name, WebSockets all, Executor executor, Runnable afterEnd) {
		this.upstream = upstream;
		this.executor = executor;
		this.idleTimeout = all.idleTimeout();
		this.afterEnd = afterEnd;
		this.session = new WebSocketSession(all, name, this);
	}

	/**
	 * Answer the client. The container hands its connection over after that.
	 */
	void begin(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
		response.setHeader(HttpHeaders.UPGRADE, Handshake.PROTOCOL);
		response.setHeader(HttpHeaders.CONNECTION, "upgrade");
		UpgradedConnection connection = request.upgrade(UpgradedConnection.class);
		connection.setPeer(this);
		this.client = connection;
	}

	@Override
	public void opened() {
		UpgradedConnection connection = this.client;
		if (connection != null && this.session.hasEnded()) {
			// Before the container handed it over
			connection.close();
		}
		else if (connection != null) {
			this.session.begin();
			connection.limitWrites(this.idleTimeout);
			start(() -> copyToClient(connection));
		}
	}

	@Override
	public void bytesCame() {
		UpgradedConnection connection = this.client;
		if (connection != null) {
			start(() -> copyToUpstream(connection));
		}
	}

	/**
	 * Without memory for a thread, the session ends.
	 */
	private void start(Task task) {
		try {
			this.executor.execute(() -> {
				boolean goesOn = false;
				try {
					goesOn = task.run();
				}
				catch (IOException | RuntimeException ex) {
					// One side has gone, and the other one is to see it
				}
				finally {
					if (!goesOn) {
						end();
					}
				}
			});
		}
		catch (RuntimeException | Error ex) {
			end();
			throw ex;
		}
	}

	private boolean copyToClient(UpgradedConnection connection) throws IOException {
		byte[] buffer = new byte[BUFFER];
		for (int count = read(buffer); count >= 0; count = read(buffer)) {
			ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
			this.toClient.lock();
			try {
				this.session.passFromUpstream(bytes);
				connection.write(bytes);
			}
			finally {
				this.toClient.unlock();
			}
		}
		return false;
	}

	private int read(byte[] buffer) throws IOException {
		return this.upstream.in().read(buffer);
	}

	/**
	 * Send on what has come.
	 * @return whether the session goes on; it does when the client sends no more, as the
	 * upstream may
	 */
	private boolean copyToUpstream(UpgradedConnection connection) throws IOException {
		ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
		int count = connection.read(bytes);
		for (; count > 0; count = connection.read(bytes.clear())) {
			bytes.flip();
			this.toUpstream.lock();
			try {
				this.session.passFromClient(bytes);
				OutputStream out = this.upstream.out();
				out.write(bytes.array(), 0, bytes.limit());
				out.flush();
			}
			finally {
				this.toUpstream.unlock();
			}
		}
		if (count < 0) {
			this.upstream.shutdownOutput();
		}
		else {
			connection.awaitBytes();
		}
		return true;
	}

	@Override
	public void closed() {
		end();
	}

	/**
	 * Tell both sides, where that is no part of another frame, and does not take long.
	 */
	@Override
	public void abort() {
		start(() -> {
			CompletableFuture.delayedExecutor(FAREWELL_SECONDS, TimeUnit.SECONDS, this.executor).execute(this::end);
			UpgradedConnection connection = this.client;
			if (connection != null) {
				tell(this.toClient, this.session.fromUpstream(), false, connection::write);
				tell(this.toUpstream, this.session.fromClient(), true,
						(bytes) -> this.upstream.out().write(bytes.array()));
			}
			return false;
		});
	}

	private static void tell(ReentrantLock lock, Frames sent, boolean masked, Output output) throws IOException {
		if (lock.tryLock()) {
			try {
				if (sent.isBetweenFrames()) {
					output.write(ByteBuffer.wrap(Frames.goingAway(masked)));
				}
			}
			finally {
				lock.unlock();
			}
		}
	}

	private void end() {
		if (this.session.end()) {
			this.upstream.close();
			UpgradedConnection connection = this.client;
			if (connection != null) {
				connection.close();
			}
			this.afterEnd.run();
		}
	}

	private interface Task {

		boolean run() throws IOException;

	}

	private interface Output {

		void write(ByteBuffer bytes) throws IOException;

	}

}
