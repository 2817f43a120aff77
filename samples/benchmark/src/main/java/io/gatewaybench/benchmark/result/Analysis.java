package io.gatewaybench.benchmark.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.PairedComparison;
import org.jspecify.annotations.Nullable;

/**
 * What the valid measurements of a run say together. A variant without any valid one has
 * estimates that are marked, and no comparison.
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
	 * @param results the measurements in the order of the suite, valid or not
	 * @return the analysis
	 */
	public static Analysis of(List<ScenarioResult> results) {
		List<Estimate> estimates = new ArrayList<>();
		List<Comparison> comparisons = new ArrayList<>();
		for (String load : results.stream().map((result) -> result.load().id()).distinct().toList()) {
			List<Variant> variants = variants(results, load);
			for (Variant variant : variants) {
				estimates.addAll(variant.estimates(load));
			}
			List<Variant> gateways = variants.stream().filter((variant) -> !variant.control()).toList();
			for (Variant variant : gateways) {
				variant.baseline(gateways).ifPresent((baseline) -> comparisons.addAll(variant.beside(baseline, load)));
			}
		}
		return new Analysis(estimates, corrected(comparisons));
	}

	// Together are looked at all variants under all loads, by one metric
	private static List<Comparison> corrected(List<Comparison> comparisons) {
		List<Comparison> corrected = new ArrayList<>();
		for (Metric metric : Metric.values()) {
			List<Comparison> family = comparisons.stream().filter((each) -> each.metric() == metric).toList();
			List<PairedComparison> results = PairedComparison
				.corrected(family.stream().map(Comparison::result).toList());
			for (int index = 0; index < family.size(); index++) {
				corrected.add(family.get(index).with(results.get(index)));
			}
		}
		return corrected;
	}

	/**
	 * Compares two scenarios by one metric, in the blocks in which nothing speaks against
	 * it.
	 * @param some measurements of one
	 * @param others measurements of what it is compared with
	 * @param metric the metric
	 * @return the comparison as if it were the only one, {@code null} without such a
	 * block
	 */
	static @Nullable PairedComparison compare(List<ScenarioResult> some, List<ScenarioResult> others, Metric metric) {
		Map<Integer, List<PairedComparison.Pair>> byStart = new TreeMap<>();
		for (ScenarioResult one : usable(some, metric)) {
			Double value = metric.of(one);
			Double other = usable(others, metric).stream()
				.filter((result) -> result.block() == one.block())
				.findFirst()
				.map(metric::of)
				.orElse(null);
			if (value != null && other != null) {
				byStart.computeIfAbsent(one.start(), (start) -> new ArrayList<>())
					.add(new PairedComparison.Pair(value, other));
			}
		}
		return byStart.isEmpty() ? null : PairedComparison.of(byStart);
	}

	/**
	 * Sets every scenario of a run beside the same one of another run. Their blocks saw
	 * the machine at different times, so they are no pairs.
	 * @param run measurements of the run, valid or not
	 * @param other those of the run it is compared with
	 * @return the comparisons, each in view of all others by the same metric
	 */
	public static List<Comparison> across(List<ScenarioResult> run, List<ScenarioResult> other) {
		List<Comparison> comparisons = new ArrayList<>();
		Map<String, List<ScenarioResult>> known = other.stream().collect(Collectors.groupingBy(ScenarioResult::id));
		run.stream()
			.filter((one) -> known.containsKey(one.id()))
			.collect(Collectors.groupingBy(ScenarioResult::id, LinkedHashMap::new, Collectors.toList()))
			.forEach((id, some) -> {
				List<ScenarioResult> others = Objects.requireNonNull(known.get(id));
				for (Metric metric : Metric.values()) {
					Map<Integer, List<Double>> variant = byStart(usable(some, metric), metric);
					Map<Integer, List<Double>> baseline = byStart(usable(others, metric), metric);
					if (!variant.isEmpty() && !baseline.isEmpty()) {
						comparisons.add(new Comparison(some.getFirst().load().id(), some.getFirst().variant(),
								others.getFirst().variant(), metric, metric.unit(),
								PairedComparison.ofIndependent(variant.values(), baseline.values())));
					}
				}
			});
		return corrected(comparisons);
	}

	private static Map<Integer, List<Double>> byStart(List<ScenarioResult> results, Metric metric) {
		Map<Integer, List<Double>> byStart = new TreeMap<>();
		for (ScenarioResult result : results) {
			Double value = metric.of(result);
			if (value != null) {
				byStart.computeIfAbsent(result.start(), (start) -> new ArrayList<>()).add(value);
			}
		}
		return byStart;
	}

	private static boolean isPositive(@Nullable Double value) {
		return value != null && value > 0;
	}

	private static List<ScenarioResult> usable(List<ScenarioResult> results, Metric metric) {
		return results.stream().filter((result) -> result.verdict().allows(metric)).toList();
	}

	private static List<Variant> variants(List<ScenarioResult> all, String load) {
		// Also one whose measurements are all invalid keeps its place: another baseline
		// would silently change the meaning of every ratio
		return all.stream()
			.filter((result) -> result.load().id().equals(load))
			.collect(Collectors.toMap(ScenarioResult::variant, Function.identity(), (first, other) -> first,
					LinkedHashMap::new))
			.values()
			.stream()
			.map((any) -> new Variant(any.variant(), any.control(), any.baseline(),
					all.stream()
						.filter((result) -> result.load().id().equals(load) && result.variant().equals(any.variant()))
						.toList()))
			.toList();
	}

	/**
	 * Measurements of one variant under one load.
	 */
	private record Variant(String name, boolean control, @Nullable String baselineName, List<ScenarioResult> all) {

		Optional<Variant> baseline(List<Variant> gateways) {
			return gateways.stream()
				.filter((other) -> (this.baselineName != null) ? other.name.equals(this.baselineName)
						: other == gateways.getFirst())
				.filter((other) -> other != this)
				.findFirst();
		}

		List<Estimate> estimates(String load) {
			List<Estimate> estimates = new ArrayList<>();
			for (Metric metric : Metric.values()) {
				List<ScenarioResult> usable = usable(this.all, metric);
				boolean disturbed = usable.isEmpty();
				Map<Integer, List<Double>> byStart = byStart((disturbed ? this.all : usable).stream()
					.filter((result) -> isPositive(metric.of(result)))
					.toList(), metric);
				if (!byStart.isEmpty()) {
					estimates.add(new Estimate(load, this.name, metric, metric.unit(),
							Interval.ofGeometricMeans(byStart.values()), disturbed));
				}
			}
			return estimates;
		}

		List<Comparison> beside(Variant baseline, String load) {
			List<Comparison> comparisons = new ArrayList<>();
			for (Metric metric : Metric.values()) {
				PairedComparison result = compare(this.all, baseline.all, metric);
				if (result != null) {
					comparisons.add(new Comparison(load, this.name, baseline.name, metric, metric.unit(), result));
				}
			}
			return comparisons;
		}

	}

}
