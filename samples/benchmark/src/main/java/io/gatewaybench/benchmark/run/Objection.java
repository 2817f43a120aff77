package io.gatewaybench.benchmark.run;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.gatewaybench.benchmark.result.Metric;

/**
 * Something that speaks against a measurement.
 *
 * @param reason in plain words
 * @param spoilt the metrics that must not be used because of it
 */
record Objection(String reason, Set<Metric> spoilt) {

	/**
	 * An objection to all that was measured.
	 * @param reason format of the reason
	 * @param arguments its arguments
	 * @return the only objection of a rule
	 */
	static List<Objection> toAll(String reason, Object... arguments) {
		return to(EnumSet.allOf(Metric.class), reason, arguments);
	}

	/**
	 * An objection to some metrics.
	 * @param spoilt the metrics
	 * @param reason format of the reason
	 * @param arguments its arguments
	 * @return the only objection of a rule
	 */
	static List<Objection> to(Set<Metric> spoilt, String reason, Object... arguments) {
		return List.of(new Objection(String.format(Locale.ROOT, reason, arguments), spoilt));
	}

}
