package io.gatewaybench.benchmark.suite;

import java.util.List;
import java.util.Map;

/**
 * A published measurement that a suite reproduces.
 *
 * @param source title, author and date
 * @param notes what a reader must know of it to compare, in whole sentences
 * @param figures the published figures by scenario, each by the name of a metric such as
 * {@code throughput} and {@code service-p99}, in the unit of the metric; another name is
 * shown as it is
 * @param claims what the study says of two scenarios
 */
public record Study(String source, List<String> notes, Map<String, Map<String, Double>> figures, List<Claim> claims) {

	/**
	 * Copies the collections.
	 */
	public Study {
		notes = Suite.copy(notes);
		figures = Suite.copy(figures);
		claims = Suite.copy(claims);
	}

}
