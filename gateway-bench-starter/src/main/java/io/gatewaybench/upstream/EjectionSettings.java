package io.gatewaybench.upstream;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * When an instance is taken out of the rotation because of what happened to requests, and
 * for how long. It comes back when a trial request succeeds; the next trial waits twice
 * as long as the one before, up to a ceiling.
 *
 * <p>
 * Terms and number of failures come from Envoy's outlier detection, times and trials from
 * Linkerd's failure accrual.
 *
 * @param consecutiveFailures how many attempts in a row have to fail; 0 ejects nothing
 * @param include5xx whether a response with a status from 500 on is a failure, after
 * which another instance is asked if the request may be repeated
 * @param baseEjectionTime time until the first trial
 * @param maxEjectionTime longest time between two trials, at most a day
 * @since 0.1.0
 * @see <a href=
 * "https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/outlier">Envoy's
 * outlier detection</a>
 * @see <a href= "https://linkerd.io/2/reference/circuit-breaking/">Linkerd's failure
 * accrual</a>
 */
public record EjectionSettings(int consecutiveFailures, boolean include5xx, Duration baseEjectionTime,
		Duration maxEjectionTime) {

	private static final Duration MAX_TIME = Duration.ofHours(24);

	/**
	 * Nothing is ever ejected.
	 */
	public static final EjectionSettings OFF = new EjectionSettings(0, false, Duration.ofSeconds(1),
			Duration.ofMinutes(1));

	/**
	 * Check the settings.
	 */
	public EjectionSettings {
		Assert.isTrue(consecutiveFailures >= 0, "the number of failures is 0 or more");
		Assert.isTrue(baseEjectionTime.toMillis() > 0, "the time is at least 1ms");
		Assert.isTrue(baseEjectionTime.compareTo(MAX_TIME) <= 0 && maxEjectionTime.compareTo(MAX_TIME) <= 0,
				"the time is at most 24h");
		Assert.isTrue(maxEjectionTime.compareTo(baseEjectionTime) >= 0,
				"the longest time is at least 'base-ejection-time'");
	}

	/**
	 * Time until the next trial.
	 * @param trials how many there were since a response came whole
	 * @return nanoseconds
	 */
	long ejectionNanos(int trials) {
		long base = this.baseEjectionTime.toNanos();
		long max = this.maxEjectionTime.toNanos();
		return (trials >= Long.numberOfLeadingZeros(base) - 1) ? max : Math.min(max, base << trials);
	}

}
