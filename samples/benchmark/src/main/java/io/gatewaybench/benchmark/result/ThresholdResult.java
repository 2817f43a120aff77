package io.gatewaybench.benchmark.result;

import io.gatewaybench.benchmark.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A condition that must not hold, beside what was measured under one load.
 *
 * @param condition the condition, such as {@code webmvc.cpu > 1.10 * webflux.cpu}
 * @param load the load, for example {@code c16}
 * @param outcome whether it holds
 * @param ratio left side / right side, {@code null} if that was not measured
 * @param reason why it has this outcome, in a sentence
 */
public record ThresholdResult(String condition, String load, Outcome outcome, @Nullable Interval ratio, String reason) {

	/**
	 * Whether a condition that must not hold holds.
	 */
	public enum Outcome {

		/**
		 * It holds in the whole interval.
		 */
		FAILED,

		/**
		 * It holds nowhere in the interval.
		 */
		PASSED,

		/**
		 * Neither is sure, or there is no interval.
		 */
		INCONCLUSIVE

	}

}
