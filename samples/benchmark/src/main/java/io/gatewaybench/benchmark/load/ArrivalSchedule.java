package io.gatewaybench.benchmark.load;

import java.util.SplittableRandom;

/**
 * The intended starts of an open stage: a rising sequence of nanoseconds from its start
 * that depends on nothing but the stage and the seed.
 */
final class ArrivalSchedule {

	/**
	 * Returned by {@link #next()} when the stage is over.
	 */
	static final long END = Long.MAX_VALUE;

	private static final double NANOS_PER_SECOND = 1e9;

	private final Stage stage;

	private final long durationNanos;

	private final SplittableRandom random;

	private long index;

	private double poissonNanos;

	private int step;

	private long stepStart;

	private long stepIndex;

	ArrivalSchedule(Stage stage, SplittableRandom random) {
		this.stage = stage;
		this.durationNanos = stage.sending().toNanos();
		this.random = random;
	}

	long next() {
		long nanos = switch (this.stage.arrivals()) {
			case CONSTANT -> constant();
			case POISSON -> poisson();
			case STEPPED -> stepped();
		};
		return (nanos < this.durationNanos) ? nanos : END;
	}

	// From the index, not by adding distances, so that rounding never adds up
	private long constant() {
		return Math.round(this.index++ * NANOS_PER_SECOND / this.stage.rate());
	}

	private long poisson() {
		this.poissonNanos += -Math.log(1 - this.random.nextDouble()) * NANOS_PER_SECOND / this.stage.rate();
		return (long) this.poissonNanos;
	}

	// Each step begins with a request of its own, a distance after nothing
	private long stepped() {
		while (this.stepStart < this.durationNanos) {
			Step current = this.stage.steps().get(this.step);
			long length = current.duration().toNanos();
			long offset = current.offset(this.stepIndex, this.stage.rate());
			if (offset < length) {
				this.stepIndex++;
				return this.stepStart + offset;
			}
			this.stepStart += length;
			this.stepIndex = 0;
			this.step = (this.step + 1) % this.stage.steps().size();
		}
		return END;
	}

}
