package io.gatewaybench.benchmark.plan;

import java.time.Duration;

/**
 * A part of a {@link Arrivals#STEPPED stepped} stage. A burst of ten times the rate every
 * ten seconds is {@code [{9 s, 1}, {1 s, 10}]}.
 *
 * @param duration how long it lasts
 * @param factor what the rate of the stage is multiplied by
 */
public record Step(Duration duration, double factor) {

	/**
	 * Checks the values.
	 * @throws InvalidValueException if the step has no length, or its factor is negative
	 * or above 1,000
	 */
	public Step {
		if (duration == null || duration.toMillis() < 1) {
			throw new InvalidValueException("step.duration", duration, "choose 1 ms or more");
		}
		if (!(factor >= 0) || factor > 1_000) {
			throw new InvalidValueException("step.factor", factor, "choose 0 to 1,000");
		}
	}

}
