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

	/**
	 * Chooses, and adds the controls of the loads that were chosen.
	 * @param scenarios what there is
	 * @param usual what is measured unless the user chooses; no other control is added
	 * @return what was chosen, in the same order
	 */
	List<Scenario> select(List<Scenario> scenarios, List<Scenario> usual) {
		List<String> loads = scenarios.stream()
			.filter((scenario) -> matches(scenario.id()))
			.map((scenario) -> scenario.load().id())
			.toList();
		return scenarios.stream()
			.filter((scenario) -> matches(scenario.id()) || (scenario.variant().control() && usual.contains(scenario)
					&& loads.contains(scenario.load().id())))
			.toList();
	}

	boolean matches(String id) {
		return this.patterns.isEmpty() || this.patterns.stream().anyMatch((pattern) -> matches(pattern.strip(), id));
	}

	private static boolean matches(String pattern, String id) {
		if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0) {
			return !pattern.isEmpty() && id.contains(pattern);
		}
		String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
		return Pattern.matches(regex, id);
	}

}
