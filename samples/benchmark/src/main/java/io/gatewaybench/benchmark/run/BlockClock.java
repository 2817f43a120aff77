package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Tells whether there is time for another block.
 */
final class BlockClock {

	private final @Nullable Duration limit;

	private final LongSupplier nanoTime;

	private final long start;

	private long blockStart;

	private long longest;

	/**
	 * Starts the clock.
	 * @param limit how long all blocks may take, {@code null} for as long as they need
	 * @param nanoTime what time it is
	 */
	BlockClock(@Nullable Duration limit, LongSupplier nanoTime) {
		this.limit = limit;
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	/**
	 * Whether a block that takes as long as the longest so far would end in time. The
	 * first one begins in any case.
	 */
	boolean allowsAnother() {
		this.blockStart = this.nanoTime.getAsLong();
		return this.limit == null || this.longest == 0
				|| this.blockStart - this.start + this.longest <= this.limit.toNanos();
	}

	/**
	 * Whether something would end in time.
	 * @param length how long it takes
	 */
	boolean allows(Duration length) {
		return this.limit == null || this.nanoTime.getAsLong() - this.start + length.toNanos() <= this.limit.toNanos();
	}

	void blockEnded() {
		this.longest = Math.max(this.longest, this.nanoTime.getAsLong() - this.blockStart);
	}

}
