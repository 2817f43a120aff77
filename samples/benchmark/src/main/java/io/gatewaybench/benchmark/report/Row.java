package io.gatewaybench.benchmark.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * A variant under a load, over the starts.
 *
 * @param results the run
 * @param starts its measurements, one at least
 * @param title what it is called
 */
record Row(RunResults results, List<ScenarioResult> starts, String title) {

	/**
	 * The rows of a run in the order of its suite.
	 */
	static List<Row> of(RunResults results) {
		return results.scenarios()
			.stream()
			.collect(Collectors.groupingBy(ScenarioResult::id, LinkedHashMap::new, Collectors.toList()))
			.values()
			.stream()
			.map((starts) -> new Row(results, starts, starts.getFirst().title()))
			.toList();
	}

	ScenarioResult first() {
		return this.starts.getFirst();
	}

	String load() {
		return first().load().id();
	}

	boolean control() {
		return first().control();
	}

	/**
	 * What the target did wrong.
	 */
	List<String> failures() {
		return this.starts.stream().flatMap((start) -> start.failures().stream()).toList();
	}

	Optional<Estimate> estimate(Metric metric) {
		List<Estimate> all = this.results.analysis().estimates();
		return all.stream().filter((each) -> each.metric() == metric && is(each.variant(), each.load())).findFirst();
	}

	/**
	 * The row beside its baseline.
	 */
	Optional<Comparison> comparison(Metric metric) {
		List<Comparison> all = this.results.analysis().comparisons();
		return all.stream().filter((each) -> each.metric() == metric && is(each.variant(), each.load())).findFirst();
	}

	private boolean is(String variant, String load) {
		return variant.equals(first().variant()) && load.equals(load());
	}

	/**
	 * A figure, or that it is unknown.
	 */
	String text(Metric metric) {
		return estimate(metric).map((estimate) -> Figures.of(metric).apply(estimate.value())).orElse(Figures.UNKNOWN);
	}

}
