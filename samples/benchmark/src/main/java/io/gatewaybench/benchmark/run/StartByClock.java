package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Hosts that know nothing of each other begin at the same times, as all of them have the
 * same plan: each load at a fixed time behind the one before.
 */
final class StartByClock implements CommonStart {

	// On 2 cores: a look at everybody before and after a slice, start of a generator
	static final Duration BETWEEN = Duration.ofSeconds(3);

	private final InstantSource clock;

	private final Duration drain;

	private Instant next;

	/**
	 * The first load begins at a time.
	 * @param first the time
	 * @param drain how long responses are waited for at the end of a load
	 * @param clock what time it is
	 */
	StartByClock(Instant first, Duration drain, InstantSource clock) {
		this.next = first;
		this.drain = drain;
		this.clock = clock;
	}

	/**
	 * Waits until it is time.
	 * @throws BenchFailure if it is too late
	 */
	@Override
	public void await(Duration length) throws InterruptedException {
		Duration left = Duration.between(this.clock.instant(), this.next);
		if (left.isNegative()) {
			throw new BenchFailure(("This host is %.1f s late for the load that begins on all hosts at %s. Begin later"
					+ " with --start-at, or send less: the drain of a load may have taken too long.")
				.formatted(left.negated().toMillis() / 1e3, this.next));
		}
		this.next = this.next.plus(length).plus(this.drain).plus(BETWEEN);
		Thread.sleep(left);
	}

}
