package io.gatewaybench.benchmark.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import org.jspecify.annotations.Nullable;

/**
 * What the slices of a run say together.
 *
 * @param estimates every variant by itself
 * @param comparisons every variant beside its baseline, usually the first one of its load
 */
public record Analysis(List<Estimate> estimates, List<Comparison> comparisons) {

	/**
	 * Nothing was measured.
	 */
	public static final Analysis NONE = new Analysis(List.of(), List.of());

	/**
	 * Analyses measurements.
	 * @param results one for each scenario and start, in the order of the suite
	 * @param slices their slices
	 * @param question what the run was to answer
	 * @return the analysis
	 */
	static Analysis of(List<ScenarioResult> results, List<Slice> slices, MainQuestion question) {
		List<Estimate> estimates = new ArrayList<>();
		List<Comparison> comparisons = new ArrayList<>();
		by(results, ScenarioResult::id).forEach((starts) -> estimates.addAll(estimates(starts)));
		List<Contrast> contrasts = contrasts(results);
		for (Contrast contrast : contrasts) {
			String load = contrast.starts().getFirst().load().id();
			int together = (int) contrasts.stream()
				.filter((other) -> other.starts().getFirst().load().id().equals(load))
				.count();
			for (Metric metric : Metric.values()) {
				boolean main = metric == question.metric() && load.equals(question.load());
				Comparison comparison = compare(contrast.starts(), contrast.baseline(), slices, metric,
						main ? together : 1);
				if (comparison != null) {
					comparisons.add(comparison);
				}
			}
		}
		return new Analysis(estimates, comparisons);
	}

	/**
	 * The measurements of a variant beside those of its baseline.
	 */
	private record Contrast(List<ScenarioResult> starts, List<ScenarioResult> baseline) {
	}

	private static List<Contrast> contrasts(List<ScenarioResult> results) {
		List<Contrast> contrasts = new ArrayList<>();
		for (List<ScenarioResult> load : by(results, (result) -> result.load().id())) {
			List<List<ScenarioResult>> gateways = by(load, ScenarioResult::id).stream()
				.filter((starts) -> !starts.getFirst().control())
				.toList();
			gateways.forEach((starts) -> baseline(starts, gateways)
				.ifPresent((baseline) -> contrasts.add(new Contrast(starts, baseline))));
		}
		return contrasts;
	}

	private static Collection<List<ScenarioResult>> by(List<ScenarioResult> results,
			Function<ScenarioResult, String> key) {
		return results.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList())).values();
	}

	private static Optional<List<ScenarioResult>> baseline(List<ScenarioResult> starts,
			List<List<ScenarioResult>> gateways) {
		String name = starts.getFirst().baseline();
		return gateways.stream()
			.filter((other) -> (name != null) ? other.getFirst().variant().equals(name) : other == gateways.getFirst())
			.filter((other) -> other != starts)
			.findFirst();
	}

	private static List<Estimate> estimates(List<ScenarioResult> starts) {
		List<Estimate> estimates = new ArrayList<>();
		for (Metric metric : Metric.values()) {
			double[] logarithms = starts.stream()
				.map(metric::of)
				.filter((value) -> value != null && value > 0)
				.mapToDouble(Math::log)
				.toArray();
			if (logarithms.length > 0) {
				double mean = Arrays.stream(logarithms).average().orElseThrow();
				estimates.add(new Estimate(starts.getFirst().load().id(), starts.getFirst().variant(), metric,
						metric.unit(), Math.exp(mean)));
			}
		}
		return estimates;
	}

	/**
	 * Compares two scenarios by one metric.
	 * @param some the results of one, one for each start
	 * @param others those of what it is compared with
	 * @param slices the slices of both, and any others
	 * @param metric the metric
	 * @param together with how many answers the confidence is shared, by Bonferroni
	 * @return the comparison, {@code null} if they were never measured together
	 */
	static @Nullable Comparison compare(List<ScenarioResult> some, List<ScenarioResult> others, List<Slice> slices,
			Metric metric, int together) {
		if (some.isEmpty() || others.isEmpty()) {
			return null;
		}
		ScenarioResult one = some.getFirst();
		ScenarioResult other = others.getFirst();
		List<Pair> pairs = pairs(some, others, slices, metric);
		if (pairs.isEmpty()) {
			return null;
		}
		Interval ratio = RatioEstimate.of(pairs,
				StartPrior.of(metric, Slice.taken(slices, List.of(one.id(), other.id()))), !metric.isPercentile(),
				1 - (1 - Interval.CONFIDENCE) / together);
		return new Comparison(one.load().id(), one.variant(), other.variant(), metric, metric.unit(), ratio,
				pairs.size());
	}

	private static List<Pair> pairs(List<ScenarioResult> some, List<ScenarioResult> others, List<Slice> slices,
			Metric metric) {
		return RatioEstimate.pairs(values(some, slices, some.getFirst().id(), metric),
				values(others, slices, others.getFirst().id(), metric));
	}

	/**
	 * A figure of a scenario by start and round; what is known at the end of a start only
	 * is there by start.
	 */
	static Map<List<Integer>, Double> values(List<ScenarioResult> results, List<Slice> slices, String scenario,
			Metric metric) {
		Map<List<Integer>, Double> values = new LinkedHashMap<>();
		if (metric.isOfStart()) {
			results.stream()
				.filter((each) -> each.id().equals(scenario) && metric.of(each) != null)
				.forEach((each) -> values.put(List.of(each.start()), Objects.requireNonNull(metric.of(each))));
		}
		else {
			slices.stream()
				.filter((each) -> each.scenario().equals(scenario) && each.figures().containsKey(metric))
				.forEach((each) -> values.put(List.of(each.start(), each.round()),
						Objects.requireNonNull(each.figures().get(metric))));
		}
		return values;
	}

	/**
	 * The pairs of every comparison of a run, by the ids of both scenarios.
	 */
	static Map<String, List<Pair>> pairs(RunResults run, Metric metric) {
		Map<String, List<Pair>> all = new LinkedHashMap<>();
		contrasts(run.scenarios())
			.forEach((each) -> all.put(each.starts().getFirst().id() + " / " + each.baseline().getFirst().id(),
					pairs(each.starts(), each.baseline(), run.slices(), metric)));
		all.values().removeIf(List::isEmpty);
		return all;
	}

	/**
	 * The answers to the main question.
	 * @param question the question
	 * @return a comparison for each variant that has a baseline, in the order of the
	 * suite
	 */
	public List<Comparison> answers(MainQuestion question) {
		return this.comparisons.stream()
			.filter((each) -> each.metric() == question.metric() && each.load().equals(question.load()))
			.toList();
	}

}
