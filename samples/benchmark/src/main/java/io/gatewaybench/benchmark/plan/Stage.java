package io.gatewaybench.benchmark.plan;

import java.time.Duration;

/**
 * One part of a run; stages follow one another on the same connections.
 *
 * @param name the name in results and events
 * @param kind what the stage is for
 * @param duration how long requests are started (finished ones are waited for afterwards)
 * @param rate requests per second in the open model, otherwise 0
 * @param arrivals how the requests of the open model are spread; ignored in the closed
 * model
 */
public record Stage(String name, Kind kind, Duration duration, double rate, Arrivals arrivals) {

	/**
	 * What a stage is for.
	 */
	public enum Kind {

		/**
		 * Load whose result is kept but is not a measurement.
		 */
		WARMUP,

		/**
		 * Load that is measured.
		 */
		MEASURE,

		/**
		 * No load, so that a target can compile, collect and close what it wants.
		 */
		IDLE

	}

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if the name is blank, the duration is not positive
	 * or the rate is negative
	 */
	public Stage {
		if (name.isBlank()) {
			throw new IllegalArgumentException("stage.name is blank; give the stage a name");
		}
		if (duration.toMillis() < 1 || duration.toDays() > 7) {
			throw new IllegalArgumentException(
					"stage '%s' has duration %s; choose 1 ms to 7 days".formatted(name, duration));
		}
		if (!(rate >= 0) || rate > 1_000_000) {
			throw new IllegalArgumentException(
					"stage '%s' has rate %s; choose 0 to 1,000,000 per second".formatted(name, rate));
		}
	}

	/**
	 * A stage of the closed model.
	 * @param name the name
	 * @param kind what the stage is for
	 * @param duration how long requests are started
	 * @return the stage
	 */
	public static Stage closed(String name, Kind kind, Duration duration) {
		return new Stage(name, kind, duration, 0, Arrivals.CONSTANT);
	}

	/**
	 * A stage without load.
	 * @param name the name
	 * @param duration how long
	 * @return the stage
	 */
	public static Stage idle(String name, Duration duration) {
		return new Stage(name, Kind.IDLE, duration, 0, Arrivals.CONSTANT);
	}

}
