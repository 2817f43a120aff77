package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * Every variant as a multiple of its baseline under the same load.
 */
final class Compared {

	private static final List<Metric> METRICS = List.of(Metric.CPU, Metric.ALLOCATION, Metric.MEMORY, Metric.THROUGHPUT,
			Metric.SERVICE_P50, Metric.SERVICE_P99, Metric.OVERHEAD_P50, Metric.OVERHEAD_P99);

	private Compared() {
	}

	static Table of(RunResults results) {
		List<String> head = new ArrayList<>(List.of("variant", "compared with"));
		METRICS.forEach((metric) -> head.add(metric.title()));
		return new Table("Ratios",
				"A variant divided by what it is compared with, taken within each block: geometric mean and 95 % confidence "
						+ "interval. Only blocks count in which both are undisturbed, so a ratio may differ from that of the "
						+ "two figures in the table above. = is equivalent: the whole interval is within 3 % of 1. ? is inconclusive: more blocks "
						+ "or starts could tell. Without a mark it is a difference, also after Holm's correction for the number of "
						+ "comparisons by this metric.",
				head,
				Contrast.of(results)
					.stream()
					.filter((contrast) -> !contrast.comparisons().isEmpty())
					.map(Compared::row)
					.toList());
	}

	private static List<Cell> row(Contrast contrast) {
		List<Cell> cells = new ArrayList<>(
				List.of(Cell.of(contrast.row().title()), Cell.of(contrast.baseline().title())));
		METRICS.forEach((metric) -> cells.add(contrast.comparison(metric).map(Compared::cell).orElse(Cell.UNKNOWN)));
		return cells;
	}

	private static Cell cell(Comparison comparison) {
		return Cell.of(comparison.result().ratio(), Figures::significant, Mark.of(comparison.result().effect()));
	}

}
