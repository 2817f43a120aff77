package io.gatewaybench.benchmark.load;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link Arrivals#STEPPED stepped} stage. A burst of ten times the rate every
 * ten seconds is {@code [{9 s, 1}, {1 s, 10}]}; a ramp from nothing to the rate in a
 * minute is {@code [{60 s, 0, 1}]}.
 *
 * @param duration how long it lasts
 * @param factor what the rate of the stage is multiplied by, at the start of the step
 * @param to what it is multiplied by at the end of the step; in between it changes
 * evenly. {@code null} if it stays the same
 */
public record Step(Duration duration, double factor, @Nullable Double to) {

	private static final double NANOS_PER_SECOND = 1e9;

	/**
	 * Checks the values.
	 * @throws InvalidValueException if the step has no length, or a factor is negative or
	 * above 1,000
	 */
	public Step {
		InvalidValueException.unless(duration != null && duration.toMillis() >= 1, "step.duration", duration,
				"choose 1 ms or more");
		check("step.factor", factor);
		check("step.to", (to != null) ? to : factor);
	}

	/**
	 * A step whose rate does not change.
	 * @param duration how long it lasts
	 * @param factor what the rate of the stage is multiplied by
	 */
	public Step(Duration duration, double factor) {
		this(duration, factor, null);
	}

	private static void check(String name, double factor) {
		InvalidValueException.unless(factor >= 0 && factor <= 1_000, name, factor, "choose 0 to 1,000");
	}

	/**
	 * The highest factor of the step.
	 * @return 0 if nothing is sent in it
	 */
	public double peak() {
		return Math.max(this.factor, end());
	}

	/**
	 * What the rate is multiplied by at the end of the step.
	 * @return the factor
	 */
	public double end() {
		return (this.to != null) ? this.to : this.factor;
	}

	private double seconds() {
		return this.duration.toNanos() / NANOS_PER_SECOND;
	}

	/**
	 * How many requests are started in the first part of the step.
	 * @param rate the rate of the stage, per second
	 * @param seconds how long that part is, at most the whole step
	 * @return their number, with a fraction
	 */
	double requests(double rate, double seconds) {
		return rate * (this.factor + (end() - this.factor) * seconds / seconds() / 2) * seconds;
	}

	/**
	 * When a request is started. In a ramp, the number of requests due grows with the
	 * square of the time. The equation is solved in the form that does not divide by the
	 * slope, which may be zero.
	 * @param index how many requests of the step come before it
	 * @param rate the rate of the stage, per second
	 * @return nanoseconds from the start of the step; {@code Long.MAX_VALUE} if it is
	 * never reached
	 */
	public long offset(long index, double rate) {
		double first = rate * this.factor;
		double slope = rate * (end() - this.factor) / seconds();
		double square = first * first + 2 * slope * index;
		if (square < 0 || peak() == 0) {
			return Long.MAX_VALUE;
		}
		return (index == 0) ? 0 : Math.round(2 * index * NANOS_PER_SECOND / (first + Math.sqrt(square)));
	}

}
