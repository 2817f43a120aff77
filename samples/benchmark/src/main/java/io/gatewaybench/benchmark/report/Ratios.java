package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * Every row beside its baseline, by every metric.
 *
 * @param results the run
 */
record Ratios(RunResults results) {

	private static final List<Metric> METRICS = List.of(Metric.CPU, Metric.ALLOCATION, Metric.HEAP, Metric.THROUGHPUT,
			Metric.SERVICE_P50, Metric.SERVICE_P99, Metric.OVERHEAD_P50, Metric.OVERHEAD_P99);

	Table table() {
		List<String> head = new ArrayList<>(List.of("row", "compared with"));
		METRICS.forEach((metric) -> head.add(metric.title()));
		return new Table("Ratios",
				"A row divided by what it is compared with, with the 95 % confidence interval. Only the intervals of the main "
						+ "question are right together; of twenty others, one may leave out the truth.",
				head, Row.of(this.results).stream().filter(this::isCompared).map(this::row).toList());
	}

	private boolean isCompared(Row row) {
		return METRICS.stream().anyMatch((metric) -> row.comparison(metric).isPresent());
	}

	private List<Cell> row(Row row) {
		List<Cell> cells = new ArrayList<>(List.of(Cell.of(row.title()),
				Cell.of(METRICS.stream()
					.flatMap((metric) -> row.comparison(metric).stream())
					.map(Comparison::baseline)
					.findFirst()
					.orElse(Figures.UNKNOWN))));
		METRICS.forEach((metric) -> cells.add(row.comparison(metric)
			.map((each) -> new Cell(Figures.times(each.ratio()), Figures.range(each.ratio())))
			.orElse(Cell.UNKNOWN)));
		return cells;
	}

}
