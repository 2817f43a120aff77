package io.gatewaybench.internal.websocket;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;

import org.springframework.context.SmartLifecycle;

/**
 * The WebSockets that pass the gateway: how many there may be, and what has passed on
 * them.
 */
public final class WebSockets implements SmartLifecycle {

	private static final long LONGEST_END_NANOS = Duration.ofSeconds(2).toNanos();

	private static final long TICK_NANOS = 10_000_000;

	final Duration idleTimeout;

	final GatewayMetrics metrics;

	final DeadlineTimer timer;

	final Set<WebSocketSession> sessions = ConcurrentHashMap.newKeySet();

	private final int maxOpen;

	private final AtomicInteger open = new AtomicInteger();

	private final Map<String, Traffic> traffic = new ConcurrentHashMap<>();

	private volatile boolean stopped;

	/**
	 * Begin with none.
	 * @param idleTimeout how long a session may be silent; zero for no limit
	 * @param maxOpen how many sessions there may be
	 * @param metrics what counts them
	 * @param timer what ends silent ones
	 */
	public WebSockets(Duration idleTimeout, int maxOpen, GatewayMetrics metrics, DeadlineTimer timer) {
		this.idleTimeout = idleTimeout;
		this.maxOpen = maxOpen;
		this.metrics = metrics;
		this.timer = timer;
	}

	/**
	 * {@return how long a session may be silent; zero for no limit}
	 */
	public Duration idleTimeout() {
		return this.idleTimeout;
	}

	/**
	 * A client asks for a session.
	 * @return whether there is a place for it, to be given back by {@link #leave()} if
	 * the session does not begin
	 */
	public boolean enter() {
		if (this.open.incrementAndGet() <= this.maxOpen && !this.stopped) {
			return true;
		}
		leave();
		return false;
	}

	/**
	 * The handshake has failed, or the session has ended.
	 */
	public void leave() {
		this.open.decrementAndGet();
	}

	/**
	 * {@return what passes on the sessions of an upstream}
	 * @param upstream name of the upstream
	 */
	public Traffic traffic(String upstream) {
		return this.traffic.computeIfAbsent(upstream,
				(name) -> new Traffic(new AtomicInteger(), new LongAdder(), new LongAdder()));
	}

	@Override
	public void start() {
		this.stopped = false;
	}

	/**
	 * End all sessions, as nobody knows how long they would last. The server closes their
	 * connections next, so what tells their peers has to leave before.
	 */
	@Override
	public void stop() {
		this.stopped = true;
		this.sessions.forEach(WebSocketSession::abort);
		long end = System.nanoTime() + LONGEST_END_NANOS;
		while (!this.sessions.isEmpty() && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(TICK_NANOS);
		}
	}

	@Override
	public boolean isRunning() {
		return !this.stopped;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	/**
	 * Before the server, which waits for what is open.
	 */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 1;
	}

	/**
	 * What passes on the sessions of an upstream.
	 *
	 * @param open how many sessions there are
	 * @param fromClients how many bytes of frames clients have sent
	 * @param fromUpstream how many bytes of frames the upstream has sent
	 */
	public record Traffic(AtomicInteger open, LongAdder fromClients, LongAdder fromUpstream) {
	}

}
