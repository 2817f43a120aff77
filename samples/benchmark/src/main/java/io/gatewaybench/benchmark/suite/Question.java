package io.gatewaybench.benchmark.suite;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * What a suite is run for: one figure of its variants under one load, each beside its
 * baseline.
 *
 * @param metric name of the figure, such as {@code cpu}
 * @param load id of the load, such as {@code c100}; {@code null} for the last one of the
 * run
 */
public record Question(String metric, @Nullable String load) {

	/**
	 * CPU time per request, which is the steadiest figure of a small machine, under the
	 * last load.
	 */
	public static final Question USUAL = new Question("cpu", null);

	/**
	 * Fills in the metric.
	 * @throws InvalidValueException if the metric is unknown
	 */
	public Question {
		metric = (metric != null) ? metric : "cpu";
		InvalidValueException.unless(Claim.METRICS.contains(metric), "answer.metric", metric,
				"choose one of " + String.join(", ", Claim.METRICS));
	}

}
