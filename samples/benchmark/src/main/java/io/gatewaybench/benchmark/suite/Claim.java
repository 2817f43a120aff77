package io.gatewaybench.benchmark.suite;

import java.util.List;

import io.gatewaybench.benchmark.load.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * What a study says of two scenarios.
 *
 * @param text the claim in a whole sentence
 * @param scenario id of the scenario that it is about
 * @param beside id of the scenario that it is compared with
 * @param metric name of the metric, such as {@code throughput}
 * @param direction whether the first one has less or more of it, or both have the same
 * @param ratio the published figure of the first one / that of the second one,
 * {@code null} if the study has none
 */
public record Claim(String text, String scenario, String beside, String metric, Direction direction,
		@Nullable Double ratio) {

	static final List<String> METRICS = List.of("cpu", "allocation", "heap", "memory", "throughput", "service-mean",
			"service-p50", "service-p99", "overhead-p50", "overhead-p99", "response-p50", "slo-p99");

	/**
	 * Checks the values.
	 * @throws InvalidValueException if one is missing, the metric is unknown, or the
	 * ratio is not above 0
	 */
	public Claim {
		InvalidValueException.unless(text != null, "text", text, "write the claim in a sentence");
		InvalidValueException.unless(scenario != null, "scenario", scenario, "name a scenario");
		InvalidValueException.unless(beside != null, "beside", beside, "name a scenario");
		InvalidValueException.unless(METRICS.contains(metric), "metric", metric,
				"choose one of " + String.join(", ", METRICS));
		InvalidValueException.unless(direction != null, "direction", direction, "write less, equal or more");
		InvalidValueException.unless(ratio == null || ratio > 0, "ratio", ratio, "choose more than 0");
	}

	/**
	 * How the first scenario differs from the second one.
	 */
	public enum Direction {

		/**
		 * It has less.
		 */
		LESS,

		/**
		 * Both have the same.
		 */
		EQUAL,

		/**
		 * It has more.
		 */
		MORE

	}

}
