package io.gatewaybench.benchmark.load;

import java.time.Duration;

/**
 * How long the generator waits.
 *
 * @param connect until a connection must be open
 * @param response from the send of a request to the last byte of its response, at most
 * {@link #LONGEST}; also the value at which the SLO view records a request that was lost,
 * and the longest drain after a stage
 */
public record Timeouts(Duration connect, Duration response) {

	/**
	 * The longest timeout, which is what the latency histograms can hold.
	 */
	public static final Duration LONGEST = Duration.ofSeconds(120);

	/**
	 * Checks the values.
	 * @throws InvalidValueException if a timeout is shorter than a millisecond or longer
	 * than {@link #LONGEST}
	 */
	public Timeouts {
		check("timeouts.connect", connect);
		check("timeouts.response", response);
	}

	private static void check(String key, Duration timeout) {
		InvalidValueException.unless(timeout.toMillis() >= 1 && timeout.compareTo(LONGEST) <= 0, key, timeout,
				"choose 1 ms to %s s".formatted(LONGEST.toSeconds()));
	}

}
