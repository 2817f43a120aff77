package io.gatewaybench.benchmark.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
	 * Copies the lists.
	 */
	public Analysis {
		estimates = List.copyOf(estimates);
		comparisons = List.copyOf(comparisons);
	}

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
		for (List<ScenarioResult> load : by(results, (result) -> result.load().id())) {
			List<List<ScenarioResult>> variants = List.copyOf(by(load, ScenarioResult::id));
			variants.forEach((starts) -> estimates.addAll(estimates(starts)));
			List<List<ScenarioResult>> gateways = variants.stream()
				.filter((starts) -> !starts.getFirst().control())
				.toList();
			int contrasts = (int) gateways.stream().filter((starts) -> baseline(starts, gateways).isPresent()).count();
			for (List<ScenarioResult> starts : gateways) {
				baseline(starts, gateways).ifPresent((baseline) -> {
					for (Metric metric : Metric.values()) {
						boolean main = metric == question.metric()
								&& starts.getFirst().load().id().equals(question.load());
						Comparison comparison = compare(starts, baseline, slices, metric, main ? contrasts : 1);
						if (comparison != null) {
							comparisons.add(comparison);
						}
					}
				});
			}
		}
		return new Analysis(estimates, comparisons);
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
	 * @return the comparison, {@code null} if they were never measured together, or
	 * starved whenever they were
	 */
	static @Nullable Comparison compare(List<ScenarioResult> some, List<ScenarioResult> others, List<Slice> slices,
			Metric metric, int together) {
		if (some.isEmpty() || others.isEmpty()) {
			return null;
		}
		ScenarioResult one = some.getFirst();
		ScenarioResult other = others.getFirst();
		List<Pair> pairs = metric.isOfStart() ? ofStarts(some, others, metric)
				: ofSlices(slices, one.id(), other.id(), metric);
		if (!metric.settlesAtOnce()) {
			Set<Integer> starved = Stream.concat(some.stream(), others.stream())
				.filter(ScenarioResult::starved)
				.map(ScenarioResult::start)
				.collect(Collectors.toSet());
			pairs = pairs.stream().filter((pair) -> !starved.contains(pair.start())).toList();
		}
		if (pairs.isEmpty()) {
			return null;
		}
		Interval ratio = RatioEstimate.of(pairs, StartPrior.of(metric), !metric.isPercentile(),
				1 - (1 - Interval.CONFIDENCE) / together);
		return new Comparison(one.load().id(), one.variant(), other.variant(), metric, metric.unit(), ratio,
				pairs.size());
	}

	private static List<Pair> ofStarts(List<ScenarioResult> some, List<ScenarioResult> others, Metric metric) {
		List<Pair> pairs = new ArrayList<>();
		for (ScenarioResult one : some) {
			others.stream().filter((other) -> other.start() == one.start()).findFirst().ifPresent((other) -> {
				Double value = metric.of(one);
				Double base = metric.of(other);
				if (value != null && base != null && value > 0 && base > 0) {
					pairs.add(new Pair(one.start(), Math.log(value / base)));
				}
			});
		}
		return pairs;
	}

	/**
	 * The pairs of two scenarios: each slice beside that of the same round.
	 */
	static List<Pair> ofSlices(List<Slice> slices, String scenario, String baseline, Metric metric) {
		Map<List<Integer>, Slice> others = slices.stream()
			.filter((slice) -> slice.scenario().equals(baseline))
			.collect(Collectors.toMap((slice) -> List.of(slice.start(), slice.round()), Function.identity()));
		List<Pair> pairs = new ArrayList<>();
		for (Slice slice : slices) {
			Slice other = slice.scenario().equals(scenario) ? others.get(List.of(slice.start(), slice.round())) : null;
			Double value = slice.figures().get(metric);
			Double base = (other != null) ? other.figures().get(metric) : null;
			if (other != null && value != null && base != null) {
				pairs.add(new Pair(slice.start(), Math.log(value / base)));
			}
		}
		return pairs;
	}

	/**
	 * The pairs of every comparison of a run, by the ids of both scenarios.
	 */
	static Map<String, List<Pair>> pairs(RunResults run, Metric metric) {
		Map<String, List<Pair>> all = new LinkedHashMap<>();
		for (List<ScenarioResult> load : by(run.scenarios(), (result) -> result.load().id())) {
			List<List<ScenarioResult>> gateways = by(load, ScenarioResult::id).stream()
				.filter((starts) -> !starts.getFirst().control())
				.toList();
			gateways.forEach((starts) -> baseline(starts, gateways).ifPresent((baseline) -> {
				String one = starts.getFirst().id();
				String other = baseline.getFirst().id();
				all.put(one + " / " + other, metric.isOfStart() ? ofStarts(starts, baseline, metric)
						: ofSlices(run.slices(), one, other, metric));
			}));
		}
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
