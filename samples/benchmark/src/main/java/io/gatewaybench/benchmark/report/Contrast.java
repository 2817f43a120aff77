package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;

/**
 * A row and what it is compared with, also if no figure could be compared.
 *
 * @param row the row
 * @param baseline the row of the variant it is compared with, under the same load
 * @param comparisons by metric, those with a ratio
 */
record Contrast(Row row, Row baseline, List<Comparison> comparisons) {

	Contrast {
		comparisons = List.copyOf(comparisons);
	}

	static List<Contrast> of(RunResults results) {
		List<Row> gateways = Row.of(results).stream().filter((row) -> !row.control()).toList();
		List<Contrast> contrasts = new ArrayList<>();
		for (Row row : gateways) {
			String name = row.first().baseline();
			gateways.stream()
				.filter((other) -> other.load().equals(row.load()))
				.filter((other) -> name == null || other.first().variant().equals(name))
				.findFirst()
				.filter((other) -> other != row)
				.ifPresent((baseline) -> contrasts.add(new Contrast(row, baseline, comparisons(row, baseline))));
		}
		return contrasts;
	}

	private static List<Comparison> comparisons(Row row, Row baseline) {
		return row.results()
			.analysis()
			.comparisons()
			.stream()
			.filter((each) -> each.result().ratio() != null && each.load().equals(row.load())
					&& each.variant().equals(row.first().variant())
					&& each.baseline().equals(baseline.first().variant()))
			.toList();
	}

	Optional<Comparison> comparison(Metric metric) {
		return this.comparisons.stream().filter((each) -> each.metric() == metric).findFirst();
	}

	/**
	 * The comparisons by some metrics that had an effect of these.
	 */
	List<Comparison> with(List<Metric> metrics, List<Effect> effects) {
		return metrics.stream()
			.flatMap((metric) -> comparison(metric).stream())
			.filter((comparison) -> effects.contains(comparison.result().effect()))
			.toList();
	}

}
