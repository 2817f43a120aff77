package io.gatewaybench.internal.tomcat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.websocket.WebSocketSession;
import io.gatewaybench.internal.websocket.WebSockets;
import jakarta.servlet.http.WebConnection;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Copies the bytes of a WebSocket in both directions. One thread waits for the upstream,
 * and another one sends on what the client has sent. What one side does not take is not
 * read from the other one. No thread waits for the client: a stream of the Servlet API
 * would hold one while the other side takes nothing, and can't be closed by another
 * thread.
 *
 * <p>
 * Public because Tomcat creates it by its class.
 */
@SuppressWarnings("NullAway.Init")
public final class WebSocketTunnel implements InternalHttpUpgradeHandler, Abortable {

	private static final int BUFFER = 8 * 1024;

	private static final int FAREWELL_SECONDS = 1;

	private final ReentrantLock toClient = new ReentrantLock();

	private final ReentrantLock toUpstream = new ReentrantLock();

	private Socket upstream;

	private InputStream fromUpstream;

	private Executor executor;

	private Duration idleTimeout;

	private Runnable afterEnd;

	private volatile WebSocketSession session;

	/** Of the client, and {@code null} before Tomcat hands it over. */
	private volatile SocketWrapperBase<?> client;

	/**
	 * Create the tunnel, for Tomcat.
	 */
	public WebSocketTunnel() {
	}

	/**
	 * An instance has accepted the session. Tomcat hands the connection of the client
	 * over as soon as it has sent the response.
	 * @param upstream the connection to the instance
	 * @param fromUpstream what comes from there
	 * @param name name of the upstream
	 * @param all the sessions of the gateway
	 * @param executor starts the threads
	 * @param afterEnd called when both sides are closed
	 */
	public void begin(Socket upstream, InputStream fromUpstream, String name, WebSockets all, Executor executor,
			Runnable afterEnd) {
		this.upstream = upstream;
		this.fromUpstream = fromUpstream;
		this.executor = executor;
		this.idleTimeout = all.idleTimeout();
		this.afterEnd = afterEnd;
		this.session = new WebSocketSession(all, name, this);
	}

	@Override
	public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
		this.client = wrapper;
	}

	@Override
	public void init(WebConnection connection) {
		if (this.session.hasEnded()) {
			close();
			return;
		}
		this.session.begin();
		this.client.setWriteTimeout(this.idleTimeout.isZero() ? -1 : this.idleTimeout.toMillis());
		start(this::copyToClient);
	}

	/**
	 * Tomcat does not look at the connection again before it is asked to.
	 */
	@Override
	public SocketState upgradeDispatch(SocketEvent event) {
		if (event == SocketEvent.OPEN_READ) {
			start(this::copyToUpstream);
			return SocketState.SUSPENDED;
		}
		end();
		return SocketState.CLOSED;
	}

	/**
	 * Without memory for a thread, the session ends.
	 * @param task returns whether the session goes on
	 */
	private void start(Callable<Boolean> task) {
		try {
			this.executor.execute(() -> {
				boolean goesOn = false;
				try {
					goesOn = task.call();
				}
				catch (Exception ex) {
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

	private boolean copyToClient() throws IOException {
		byte[] buffer = new byte[BUFFER];
		int count = this.fromUpstream.read(buffer);
		for (; count >= 0; count = this.fromUpstream.read(buffer)) {
			pass(false, ByteBuffer.wrap(buffer, 0, count));
		}
		return false;
	}

	/**
	 * It goes on when the client sends no more, as the upstream may.
	 */
	private boolean copyToUpstream() throws IOException {
		ByteBuffer bytes = ByteBuffer.allocate(BUFFER);
		int count = read(bytes);
		for (; count > 0; count = read(bytes.clear())) {
			pass(true, bytes.flip());
		}
		if (count < 0) {
			this.upstream.shutdownOutput();
		}
		else {
			this.client.registerReadInterest();
		}
		return true;
	}

	private int read(ByteBuffer target) throws IOException {
		try {
			return this.client.read(false, target);
		}
		catch (EOFException ex) {
			return -1;
		}
	}

	private void pass(boolean toUpstream, ByteBuffer bytes) throws IOException {
		ReentrantLock lock = lock(toUpstream);
		lock.lock();
		try {
			this.session.pass(toUpstream, bytes);
			write(toUpstream, bytes);
		}
		finally {
			lock.unlock();
		}
	}

	private ReentrantLock lock(boolean toUpstream) {
		return toUpstream ? this.toUpstream : this.toClient;
	}

	private void write(boolean toUpstream, ByteBuffer bytes) throws IOException {
		if (toUpstream) {
			this.upstream.getOutputStream().write(bytes.array(), 0, bytes.limit());
		}
		else {
			this.client.write(true, bytes);
			this.client.flush(true);
		}
	}

	/**
	 * Tell both sides that are there.
	 */
	@Override
	public void abort() {
		start(() -> {
			CompletableFuture.delayedExecutor(FAREWELL_SECONDS, TimeUnit.SECONDS, this.executor).execute(this::end);
			if (this.client != null) {
				tell(false);
				tell(true);
			}
			return false;
		});
	}

	/**
	 * Who holds the lock may wait for a side that takes nothing.
	 */
	private void tell(boolean toUpstream) throws IOException {
		ReentrantLock lock = lock(toUpstream);
		if (lock.tryLock()) {
			try {
				byte[] close = this.session.goingAway(toUpstream);
				if (close != null) {
					write(toUpstream, ByteBuffer.wrap(close));
				}
			}
			finally {
				lock.unlock();
			}
		}
	}

	private void end() {
		if (this.session.end()) {
			close();
			this.afterEnd.run();
		}
	}

	private void close() {
		try {
			this.upstream.close();
		}
		catch (IOException ex) {
			// Nobody wants to know how the connection ended
		}
		if (this.client != null) {
			this.client.close();
		}
	}

	@Override
	public void destroy() {
		end();
	}

	@Override
	public void pause() {
		// A server that stops ends sessions later
	}

	@Override
	public void timeoutAsync(long now) {
		// The session has its own timeouts
	}

	@Override
	public void setSslSupport(SSLSupport sslSupport) {
		// Of no interest
	}

	/**
	 * Keeps in a native image what Tomcat creates.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection().registerType(WebSocketTunnel.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}

	}

}
