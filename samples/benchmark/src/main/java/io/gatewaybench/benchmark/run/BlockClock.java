package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Tells whether there is time for another block.
 */
final class BlockClock {

	private final @Nullable Duration limit;

	private final int least;

	private final LongSupplier nanoTime;

	private final long start;

	private int blocks;

	private long blockStart;

	private long last;

	/**
	 * Starts the clock.
	 * @param limit how long all blocks may take, {@code null} for as long as they need
	 * @param least how many blocks there are in any case
	 * @param nanoTime what time it is
	 */
	BlockClock(@Nullable Duration limit, int least, LongSupplier nanoTime) {
		this.limit = limit;
		this.least = least;
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	/**
	 * Whether a block that takes as long as the last one would end in time. Where
	 * gateways stay, the first one takes longer, because of its warm-up.
	 */
	boolean allowsAnother() {
		this.blockStart = this.nanoTime.getAsLong();
		return this.limit == null || this.blocks < this.least
				|| this.blockStart - this.start + this.last <= this.limit.toNanos();
	}

	/**
	 * Whether something would end in time.
	 * @param length how long it takes
	 */
	boolean allows(Duration length) {
		return this.limit == null || this.nanoTime.getAsLong() - this.start + length.toNanos() <= this.limit.toNanos();
	}

	void blockEnded() {
		this.last = this.nanoTime.getAsLong() - this.blockStart;
		this.blocks++;
	}

}
