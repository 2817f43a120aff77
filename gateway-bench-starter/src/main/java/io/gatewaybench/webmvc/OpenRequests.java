package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.upstream.DeadlineTimer;

/**
 * How many requests the container has begun and not completed. A container that stops
 * leaves their threads to themselves: one that waits for an upstream would wait on when
 * nobody counts requests any more.
 */
final class OpenRequests {

	/**
	 * For a thread that nothing wakes up. The end of the application waits for it.
	 */
	private static final Duration LONGEST_END = Duration.ofSeconds(2);

	private static final long TICK_NANOS = 10_000_000;

	private final LongAdder open = new LongAdder();

	void begun() {
		this.open.increment();
	}

	void ended() {
		this.open.decrement();
	}

	/**
	 * End what waits for an upstream, and wait until all requests are completed. A
	 * request whose wait has ended may be sent again, and waits again.
	 * @param timer knows what waits
	 */
	void end(DeadlineTimer timer) {
		long end = System.nanoTime() + LONGEST_END.toNanos();
		while (this.open.sum() > 0 && System.nanoTime() - end < 0) {
			timer.expireAll();
			LockSupport.parkNanos(TICK_NANOS);
		}
	}

}
