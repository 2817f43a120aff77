package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Condition.Figure;

/**
 * What must not hold in a run. Each condition is answered under every load under which
 * all of its variants run: a figure in it is that of its variant under this load.
 */
public final class Thresholds {

	/**
	 * No condition.
	 */
	public static final Thresholds NONE = new Thresholds(List.of(), List.of());

	private static final String OPTION = "--fail-if";

	private final List<Condition> conditions;

	private final List<Scenario> scenarios;

	private Thresholds(List<Condition> conditions, List<Scenario> scenarios) {
		this.conditions = List.copyOf(conditions);
		this.scenarios = List.copyOf(scenarios);
	}

	/**
	 * Reads conditions. A condition of the suite that names a variant which was not
	 * chosen is inconclusive. On the command line such a condition is a mistake.
	 * @param options the conditions of the command line
	 * @param suite the suite, with conditions of its own
	 * @param scenarios what was chosen of it
	 * @return the conditions, those of the suite first
	 * @throws InvalidThresholdException if one can't be read, or names something that
	 * this run does not have
	 */
	public static Thresholds of(List<String> options, Suite suite, List<Scenario> scenarios) {
		List<Condition> conditions = new ArrayList<>();
		List<Scenario> all = Stream.concat(suite.optionalScenarios().stream(), suite.fullScenarios().stream()).toList();
		suite.failIf()
			.forEach((each) -> conditions
				.add(Condition.parse(each.place(), each.condition(), metrics(all), loads(all))));
		for (String option : options) {
			Condition condition = Condition.parse(OPTION, option, metrics(scenarios), loads(scenarios));
			if (loads(condition, scenarios).isEmpty()) {
				throw new InvalidThresholdException(OPTION, option,
						"Its variants run under different loads. Choose them under the same one with --only");
			}
			conditions.add(condition);
		}
		return new Thresholds(conditions, scenarios);
	}

	private static Map<String, List<Metric>> metrics(List<Scenario> scenarios) {
		Map<String, List<Metric>> metrics = new LinkedHashMap<>();
		scenarios.stream()
			.map(Scenario::variant)
			.forEach((variant) -> metrics.putIfAbsent(variant.id(),
					Arrays.stream(Metric.values()).filter((metric) -> has(variant, metric)).toList()));
		return metrics;
	}

	// What it costs a process that the runner did not start is not known unless it tells
	private static boolean has(Variant variant, Metric metric) {
		if (!(variant.component() instanceof Component.Remote remote)) {
			return true;
		}
		return switch (metric) {
			case CPU, ALLOCATION -> remote.actuator() != null;
			case HEAP, MEMORY -> false;
			default -> true;
		};
	}

	private static List<String> loads(List<Scenario> scenarios) {
		return scenarios.stream().map((scenario) -> scenario.load().id()).distinct().toList();
	}

	private static List<String> loads(Condition condition, List<Scenario> scenarios) {
		List<String> variants = condition.figures().stream().map(Figure::variant).toList();
		return loads(scenarios).stream()
			.filter((load) -> condition.load() == null || condition.load().equals(load))
			.filter((load) -> scenarios.stream()
				.filter((scenario) -> scenario.load().id().equals(load))
				.map((scenario) -> scenario.variant().id())
				.toList()
				.containsAll(variants))
			.toList();
	}

	/**
	 * Answers every condition.
	 * @param run the run; if it is not complete, every outcome is inconclusive
	 * @return an answer for each condition and load, in this order
	 */
	public List<ThresholdResult> results(RunResults run) {
		List<ThresholdResult> results = new ArrayList<>();
		for (Condition condition : this.conditions) {
			List<String> complete = loads(condition, this.scenarios);
			List<String> chosen = (condition.load() != null) ? List.of(condition.load()) : loads(this.scenarios);
			(complete.isEmpty() ? chosen : complete).forEach((load) -> {
				Judgement judgement = new Judgement(condition, load, ids(load), run);
				results.add((run.status() == RunResults.Status.COMPLETE) ? judgement.result()
						: judgement.inconclusive("The run is not complete."));
			});
		}
		return results;
	}

	private Map<String, String> ids(String load) {
		return this.scenarios.stream()
			.filter((scenario) -> scenario.load().id().equals(load))
			.collect(Collectors.toMap((scenario) -> scenario.variant().id(), Scenario::id));
	}

}
