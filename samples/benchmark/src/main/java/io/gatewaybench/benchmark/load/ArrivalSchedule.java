package io.gatewaybench.benchmark.load;

import java.util.List;
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

	private final List<Step> steps;

	private final long durationNanos;

	private final SplittableRandom random;

	private double poissonNanos;

	private int step;

	private long stepStart;

	private long stepIndex;

	ArrivalSchedule(Stage stage, SplittableRandom random) {
		this.stage = stage;
		this.steps = stage.rateSteps();
		this.durationNanos = stage.sending().toNanos();
		this.random = random;
	}

	long next() {
		long nanos = switch (this.stage.arrivals()) {
			case POISSON -> poisson();
			case CONSTANT, STEPPED -> stepped();
		};
		return (nanos < this.durationNanos) ? nanos : END;
	}

	private long poisson() {
		this.poissonNanos += -Math.log(1 - this.random.nextDouble()) * NANOS_PER_SECOND / this.stage.rate();
		return (long) this.poissonNanos;
	}

	// Each step begins with a request of its own, a distance after nothing. All times are
	// calculated from its start, so that rounding never adds up
	private long stepped() {
		while (this.stepStart < this.durationNanos) {
			Step current = this.steps.get(this.step);
			long length = current.duration().toNanos();
			long offset = current.offset(this.stepIndex, this.stage.rate());
			if (offset < length) {
				this.stepIndex++;
				return this.stepStart + offset;
			}
			this.stepStart += length;
			this.stepIndex = 0;
			this.step = (this.step + 1) % this.steps.size();
		}
		return END;
	}

}
