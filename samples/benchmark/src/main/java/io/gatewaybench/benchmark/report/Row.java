package io.gatewaybench.benchmark.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * A variant under a load, over the blocks in which it was measured.
 *
 * @param results the run
 * @param blocks its measurements, one at least
 * @param title what it is called
 */
record Row(RunResults results, List<ScenarioResult> blocks, String title) {

	/**
	 * The rows of a run in the order of its suite.
	 */
	static List<Row> of(RunResults results) {
		return results.inSuiteOrder()
			.stream()
			.collect(Collectors.groupingBy(ScenarioResult::id, LinkedHashMap::new, Collectors.toList()))
			.values()
			.stream()
			.map((blocks) -> new Row(results, blocks, blocks.getFirst().title()))
			.toList();
	}

	/**
	 * The same row where there are several runs.
	 */
	Row in(String run) {
		return new Row(this.results, this.blocks, this.title + " in " + run);
	}

	ScenarioResult first() {
		return this.blocks.getFirst();
	}

	String load() {
		return first().load().id();
	}

	boolean control() {
		return first().control();
	}

	/**
	 * The first block that nothing disturbed.
	 */
	Optional<ScenarioResult> valid() {
		return this.blocks.stream().filter((block) -> block.verdict().valid()).findFirst();
	}

	int validBlocks() {
		return (int) this.blocks.stream().filter((block) -> block.verdict().valid()).count();
	}

	/**
	 * The blocks in which the target did not answer as it must.
	 */
	List<ScenarioResult> failed() {
		return this.blocks.stream().filter((block) -> !block.verdict().failures().isEmpty()).toList();
	}

	Counts counts() {
		return this.blocks.stream().map(ScenarioResult::counts).reduce(Counts.NONE, Counts::plus);
	}

	Optional<Estimate> estimate(Metric metric) {
		return this.results.analysis()
			.estimates()
			.stream()
			.filter((each) -> each.metric() == metric && each.variant().equals(first().variant())
					&& each.load().equals(load()))
			.findFirst();
	}

	Cell cell(Metric metric) {
		return cell(metric, Figures.of(metric));
	}

	Cell cell(Metric metric, DoubleFunction<String> unit) {
		return estimate(metric)
			.map((estimate) -> Cell.of(estimate.interval(), unit, estimate.disturbed() ? Mark.DISTURBED : Mark.NONE))
			.orElse(Cell.UNKNOWN);
	}

	Cell errors() {
		Counts counts = counts();
		return new Cell(Figures.count(counts.failed()), (counts.failed() == 0) ? ""
				: String.format(Locale.ROOT, "%.2f %%", 100.0 * counts.failed() / Math.max(1, counts.intended())),
				Mark.NONE);
	}

}
