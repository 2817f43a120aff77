package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.internal.upstream.DeadlineTimer;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * How many requests the container has begun and not completed. A container that stops
 * leaves their threads to themselves: one that waits for an upstream would wait on when
 * nobody counts requests any more. So they end here, before what counts them closes.
 */
final class OpenRequests implements SmartLifecycle {

	/**
	 * For a thread that nothing wakes up. The end of the application waits for it.
	 */
	private static final Duration LONGEST_END = Duration.ofSeconds(2);

	private static final long TICK_NANOS = 10_000_000;

	private final LongAdder open = new LongAdder();

	private final DeadlineTimer timer;

	private final boolean graceful;

	private volatile boolean running;

	/**
	 * Count no requests yet.
	 * @param timer knows what waits
	 * @param graceful whether the server gives open requests time when it stops
	 */
	OpenRequests(DeadlineTimer timer, boolean graceful) {
		this.timer = timer;
		this.graceful = graceful;
	}

	void begun() {
		this.open.increment();
	}

	void ended() {
		this.open.decrement();
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * End what waits for an upstream, and wait until all requests are completed. A
	 * request whose wait has ended may be sent again, and waits again.
	 */
	@Override
	public void stop() {
		this.running = false;
		long end = System.nanoTime() + LONGEST_END.toNanos();
		while (this.open.sum() > 0 && System.nanoTime() - end < 0) {
			this.timer.expireAll();
			LockSupport.parkNanos(TICK_NANOS);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Nor does the server pause.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

	/**
	 * After the server has had its time, or has stopped at once.
	 */
	@Override
	public int getPhase() {
		return (this.graceful ? WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE
				: WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE) - 1;
	}

}
