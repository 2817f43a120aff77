package io.gatewaybench.internal.routing;

import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.internal.routing.PathCondition.Obstacle;

/**
 * How many routes an index finds by their path, and why not the others.
 *
 * @param indexed number of routes that are tested only for paths below theirs
 * @param alwaysTested numbers of routes that are tested for every request, by the reason
 */
public record RouteIndexSummary(int indexed, Map<Obstacle, Integer> alwaysTested) {

	/**
	 * Keep the numbers as they are now.
	 */
	public RouteIndexSummary {
		alwaysTested = Map.copyOf(alwaysTested);
	}

	static RouteIndexSummary of(int routes, Map<Obstacle, Integer> alwaysTested) {
		return new RouteIndexSummary(routes - sum(alwaysTested), alwaysTested);
	}

	@Override
	public String toString() {
		String reasons = this.alwaysTested.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((entry) -> "%d with %s".formatted(entry.getValue(), entry.getKey()))
			.collect(Collectors.joining(", "));
		return "%d routes are found by their path, %d are tested for every request%s".formatted(this.indexed,
				sum(this.alwaysTested), reasons.isEmpty() ? "" : ": " + reasons);
	}

	private static int sum(Map<Obstacle, Integer> numbers) {
		return numbers.values().stream().mapToInt(Integer::intValue).sum();
	}

}
