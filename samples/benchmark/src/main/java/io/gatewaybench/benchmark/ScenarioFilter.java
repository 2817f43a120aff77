package io.gatewaybench.benchmark;

import java.util.List;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.suite.Scenario;

/**
 * Chooses scenarios by their ids.
 *
 * @param patterns parts of ids, or globs with {@code *} and {@code ?}; none chooses
 * everything
 */
record ScenarioFilter(List<String> patterns) {

	List<Scenario> select(List<Scenario> scenarios) {
		return scenarios.stream()
			.filter((scenario) -> this.patterns.isEmpty()
					|| this.patterns.stream().anyMatch((pattern) -> matches(pattern.strip(), scenario.id())))
			.toList();
	}

	private static boolean matches(String pattern, String id) {
		if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0) {
			return !pattern.isEmpty() && id.contains(pattern);
		}
		String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
		return Pattern.matches(regex, id);
	}

}
