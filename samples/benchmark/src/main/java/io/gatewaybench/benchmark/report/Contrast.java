package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Analysis;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
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
				.ifPresent((baseline) -> contrasts
					.add(new Contrast(row, baseline, comparisons(results.analysis().comparisons(), row, baseline))));
		}
		return contrasts;
	}

	/**
	 * What two runs have in common.
	 * @param run the run, which is called B
	 * @param other what it is compared with, which is called A
	 * @return each scenario of the run beside the same one of the other
	 */
	static List<Contrast> across(RunResults run, RunResults other) {
		List<Comparison> comparisons = Analysis.across(run.scenarios(), other.scenarios());
		List<Row> rows = Row.of(run);
		List<Contrast> contrasts = new ArrayList<>();
		for (Row baseline : Row.of(other)) {
			rows.stream()
				.filter((row) -> row.first().id().equals(baseline.first().id()))
				.findFirst()
				.ifPresent((row) -> contrasts
					.add(new Contrast(row.in("B"), baseline.in("A"), comparisons(comparisons, row, baseline))));
		}
		return contrasts;
	}

	private static List<Comparison> comparisons(List<Comparison> all, Row row, Row baseline) {
		return all.stream()
			.filter((each) -> each.result().ratio() != null && each.load().equals(row.load())
					&& each.variant().equals(row.first().variant())
					&& each.baseline().equals(baseline.first().variant()))
			.toList();
	}

	/**
	 * Whether both have a figure.
	 */
	boolean has(Metric metric) {
		return this.row.estimate(metric).isPresent() && this.baseline.estimate(metric).isPresent();
	}

	/**
	 * Whether something disturbed a figure in every block of one of them.
	 */
	boolean disturbed(Metric metric) {
		return Stream.of(this.row, this.baseline)
			.flatMap((each) -> each.estimate(metric).stream())
			.anyMatch(Estimate::disturbed);
	}

	/**
	 * Whether one of them did not answer as it must.
	 */
	boolean failed() {
		return !this.row.failed().isEmpty() || !this.baseline.failed().isEmpty();
	}

	/**
	 * Median and P99 of the latency by which they are compared.
	 */
	List<Metric> latency() {
		return has(Metric.OVERHEAD_P50) ? List.of(Metric.OVERHEAD_P50, Metric.OVERHEAD_P99)
				: List.of(Metric.SERVICE_P50, Metric.SERVICE_P99);
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
