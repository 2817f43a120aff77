package io.gatewaybench.internal.tomcat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;

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
 * Connection of a client that has left HTTP. No thread of Tomcat waits for it. A stream
 * of the Servlet API would hold one while the other side takes nothing, and can't be
 * closed by another thread.
 *
 * <p>
 * Public because Tomcat creates it by its class.
 */
public final class UpgradedConnection implements InternalHttpUpgradeHandler {

	private @Nullable SocketWrapperBase<?> socket;

	private @Nullable Peer peer;

	/**
	 * Create the connection, for Tomcat.
	 */
	public UpgradedConnection() {
	}

	/**
	 * Tell who gets the bytes.
	 * @param peer what follows them
	 */
	public void setPeer(Peer peer) {
		this.peer = peer;
	}

	private Peer peer() {
		return Objects.requireNonNull(this.peer);
	}

	private SocketWrapperBase<?> socket() {
		return Objects.requireNonNull(this.socket);
	}

	@Override
	public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
		this.socket = wrapper;
	}

	@Override
	public void init(WebConnection connection) {
		peer().opened();
	}

	/**
	 * Tomcat does not look at the connection again before {@link #awaitBytes()}.
	 */
	@Override
	public SocketState upgradeDispatch(SocketEvent event) {
		if (event == SocketEvent.OPEN_READ) {
			peer().bytesCame();
			return SocketState.SUSPENDED;
		}
		peer().closed();
		return SocketState.CLOSED;
	}

	/**
	 * Limit how long a write waits for a client that takes nothing.
	 * @param timeout zero for no limit
	 */
	public void limitWrites(Duration timeout) {
		socket().setWriteTimeout(timeout.isZero() ? -1 : timeout.toMillis());
	}

	/**
	 * Tell the peer once when bytes have come.
	 */
	public void awaitBytes() {
		socket().registerReadInterest();
	}

	/**
	 * Read what has come.
	 * @return the number of bytes, 0 if there are none, -1 if the client sends no more
	 */
	public int read(ByteBuffer target) throws IOException {
		try {
			return socket().read(false, target);
		}
		catch (EOFException ex) {
			return -1;
		}
	}

	/**
	 * Send bytes, and wait until the client takes them.
	 */
	public void write(ByteBuffer bytes) throws IOException {
		socket().write(true, bytes);
		socket().flush(true);
	}

	/**
	 * Close the connection, by any thread.
	 */
	public void close() {
		SocketWrapperBase<?> current = this.socket;
		if (current != null) {
			current.close();
		}
	}

	@Override
	public void destroy() {
		peer().closed();
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
	 * What follows the bytes of a connection. None of it may wait.
	 */
	public interface Peer {

		/**
		 * The client has left HTTP.
		 */
		void opened();

		/**
		 * There are bytes to read, or the end of them.
		 */
		void bytesCame();

		/**
		 * The connection is closed.
		 */
		void closed();

	}

	/**
	 * Keeps in a native image what Tomcat creates.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection().registerType(UpgradedConnection.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}

	}

}
