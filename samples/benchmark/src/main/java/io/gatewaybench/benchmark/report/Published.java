package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A published figure, ours, and what is possible.
 *
 * @param row the row of the suite
 * @param name the metric's name, or what the study calls a figure that is none of ours
 * @param published the published figure
 */
record Published(Row row, String name, double published) {

	/**
	 * All of a run, figure by figure, those that are none of ours last.
	 */
	static List<Published> of(RunResults results) {
		Map<String, List<Published>> byName = new LinkedHashMap<>();
		for (Row row : Row.of(results)) {
			results.published(row.first().id())
				.forEach((name, figure) -> byName.computeIfAbsent(name, (any) -> new ArrayList<>())
					.add(new Published(row, name, figure)));
		}
		return byName.values()
			.stream()
			.flatMap(List::stream)
			.sorted(Comparator.comparing((Published each) -> each.metric().isEmpty()))
			.toList();
	}

	/**
	 * Where published figures come from, and what a reader must know of them.
	 */
	static List<Section> sections(RunResults results) {
		return (results.study() == null) ? List.of() : List.of(
				Table
					.of("Published, measured here, and possible", "Published: " + results
						.study()
						.source()
							+ ". The maximum is what the backends' latency allows on so many connections; no gateway can exceed it.",
							List.of("figure", "row", "published", "measured here", "maximum"),
							(rows) -> of(results).forEach((each) -> rows.accept(List.of(each.title(), each.row.title(),
									Figures.significant(each.published), each.cell().line(),
									(each.maximum() != null) ? Figures.significant(each.maximum())
											: Figures.UNKNOWN)))),
				new Section.Sentences("How the published measurement differs", results.study().notes()));
	}

	/**
	 * What it is called, with its unit.
	 */
	String title() {
		return metric().map((metric) -> metric.title() + ", " + metric.unit()).orElse(this.name);
	}

	private Optional<Metric> metric() {
		return Metric.named(this.name);
	}

	/**
	 * The same figure of ours, if it is one that this program measures.
	 */
	@Nullable Interval measured() {
		return metric().flatMap(this.row::estimate).map(Estimate::interval).orElse(null);
	}

	private Cell cell() {
		return Cell.of(measured(), Figures::significant,
				metric().flatMap(this.row::estimate).filter(Estimate::disturbed).isPresent() ? Mark.DISTURBED
						: Mark.NONE);
	}

	/**
	 * The most that was possible here, the mean over the blocks.
	 */
	@Nullable Double maximum() {
		if (metric().orElse(null) != Metric.THROUGHPUT) {
			return null;
		}
		double[] bounds = this.row.blocks()
			.stream()
			.map(ScenarioResult::theoreticalMaximum)
			.filter(Objects::nonNull)
			.mapToDouble(TheoreticalMaximum::requestsPerSecond)
			.toArray();
		return (bounds.length > 0) ? (Double) Interval.ofMean(bounds).estimate() : null;
	}

}
