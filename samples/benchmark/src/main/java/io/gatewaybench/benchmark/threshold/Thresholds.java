package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.result.StartPrior;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.BetweenStarts;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Condition.Figure;
import org.jspecify.annotations.Nullable;

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

	private static final int MOST_STARTS = 100;

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
			(complete.isEmpty() ? chosen : complete).forEach((load) -> results.add(result(condition, load, run)));
		}
		return results;
	}

	/**
	 * The ratio of both sides in the slices of each round, estimated as that of a variant
	 * and its baseline.
	 * @return {@code null} if there is no such round
	 */
	private @Nullable Interval ratio(Condition condition, String load, RunResults run) {
		Map<List<Integer>, Double> left = values(condition.left(), load, run);
		Figure figure = condition.right();
		Map<List<Integer>, Double> right = new HashMap<>((figure != null) ? values(figure, load, run) : left);
		right.replaceAll((place, value) -> condition.number() * ((figure != null) ? value : 1));
		List<Pair> pairs = RatioEstimate.pairs(left, right);
		double taken = Slice.taken(run.slices(),
				this.scenarios.stream().filter((each) -> each.load().id().equals(load)).map(Scenario::id).toList());
		BetweenStarts known = condition.figures()
			.stream()
			.map(Figure::metric)
			.map((metric) -> StartPrior.of(metric, taken))
			.max(Comparator.comparingDouble(BetweenStarts::sd))
			.orElseThrow();
		boolean robust = condition.figures().stream().map(Figure::metric).noneMatch(Metric::isPercentile);
		return pairs.isEmpty() ? null : RatioEstimate.of(pairs, known, robust, Interval.CONFIDENCE);
	}

	private Map<List<Integer>, Double> values(Figure figure, String load, RunResults run) {
		return this.scenarios.stream()
			.filter((each) -> each.load().id().equals(load) && each.variant().id().equals(figure.variant()))
			.map((each) -> run.values(each.id(), figure.metric()))
			.findFirst()
			.orElse(Map.of());
	}

	private ThresholdResult result(Condition condition, String load, RunResults run) {
		List<String> cold = run.cold(true);
		if (!cold.isEmpty()) {
			return new ThresholdResult(condition.text(), load, Outcome.INCONCLUSIVE, null,
					"Compilers were still at work: " + String.join(", ", cold) + ".");
		}
		boolean complete = run.status() == RunResults.Status.COMPLETE;
		Interval ratio = complete ? ratio(condition, load, run) : null;
		if (ratio == null) {
			return new ThresholdResult(condition.text(), load, Outcome.INCONCLUSIVE, null,
					complete ? "Its figures were never measured in the same round." : "The run is not complete.");
		}
		boolean low = condition.holds(ratio.low(), 1);
		boolean high = condition.holds(ratio.high(), 1);
		if (low == high) {
			return new ThresholdResult(condition.text(), load, low ? Outcome.FAILED : Outcome.PASSED, ratio,
					"It holds " + (low ? "in the whole" : "nowhere in the") + " 95 % confidence interval.");
		}
		int starts = ratio.samplesToExclude(1);
		return new ThresholdResult(condition.text(), load, Outcome.INCONCLUSIVE, ratio,
				"It holds in a part of the 95 % confidence interval; "
						+ ((starts <= MOST_STARTS) ? "--starts " + starts + " could tell."
								: "both sides are so close that no run of a reasonable length could tell."));
	}

}
