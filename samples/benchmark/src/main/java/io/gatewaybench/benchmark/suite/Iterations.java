package io.gatewaybench.benchmark.suite;

import java.time.Duration;

import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * The end of a closed load whose users each send a fixed number of requests.
 *
 * @param perUser how many requests each user sends
 * @param maxDuration how long a measurement may take, so that it ends also if the target
 * hardly answers
 */
public record Iterations(int perUser, Duration maxDuration) {

	/**
	 * The longest measurement unless told otherwise, as in k6.
	 */
	public static final Duration MAX_DURATION = Duration.ofMinutes(10);

	/**
	 * The most requests of a user.
	 */
	public static final int MOST = 1_000_000;

	/**
	 * Checks the values.
	 * @throws InvalidValueException if there is no request, or the longest measurement is
	 * shorter than a second or longer than a day
	 */
	public Iterations {
		InvalidValueException.unless(perUser >= 1 && perUser <= MOST, "iterations", perUser, "choose 1 to 1000000");
		InvalidValueException.unless(maxDuration.toSeconds() >= 1 && maxDuration.toDays() < 1, "max-duration",
				maxDuration, "choose 1s to less than 24h");
	}

}
