package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Study;
import org.jspecify.annotations.Nullable;

/**
 * A figure of ours beside what was published, and what is possible.
 *
 * @param row the row of the suite
 * @param name the metric's name, or what the study calls a figure that is none of ours
 * @param published the published figure, {@code null} if there is none
 */
record Published(Row row, String name, @Nullable Double published) {

	private static final String THROUGHPUT = "throughput";

	/**
	 * All of a run, figure by figure, those that are none of ours last. A throughput with
	 * a maximum is there also if nothing was published.
	 */
	static List<Published> of(RunResults results) {
		Map<String, List<Published>> byName = new LinkedHashMap<>();
		for (Row row : Row.of(results)) {
			results.published(row.first().id())
				.forEach((name, figure) -> byName.computeIfAbsent(name, (any) -> new ArrayList<>())
					.add(new Published(row, name, figure)));
			Published throughput = new Published(row, THROUGHPUT, null);
			if (throughput.maximum() != null && !results.published(row.first().id()).containsKey(THROUGHPUT)) {
				byName.computeIfAbsent(THROUGHPUT, (any) -> new ArrayList<>()).add(throughput);
			}
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
		Study study = results.study();
		List<Published> all = of(results);
		String bound = "The maximum follows from the latency of the backends, and from the number of connections, or of "
				+ "threads where there are fewer. No gateway can exceed it.";
		return List.of(Table.of("Published, measured here, and possible",
				((study != null) ? "Published: " + study.source() + ". " : "") + bound,
				List.of("figure", "row", "published", "measured here", "maximum"),
				(rows) -> all.forEach((each) -> rows.accept(List.of(each.title(), each.row.title(),
						significant(each.published), significant(each.measured()), significant(each.maximum()))))),
				new Section.Sentences("How the published measurement differs",
						(study != null) ? study.notes() : List.of()));
	}

	private static String significant(@Nullable Double value) {
		return (value != null) ? Figures.significant(value) : Figures.UNKNOWN;
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
	 * The same figure of ours, {@code null} if it is none that this program measures.
	 */
	@Nullable Double measured() {
		return metric().flatMap(this.row::estimate).map(Estimate::value).orElse(null);
	}

	/**
	 * The most that was possible here, the mean over the starts.
	 */
	@Nullable Double maximum() {
		if (metric().orElse(null) != Metric.THROUGHPUT) {
			return null;
		}
		OptionalDouble mean = this.row.starts()
			.stream()
			.map(ScenarioResult::theoreticalMaximum)
			.filter(Objects::nonNull)
			.mapToDouble(TheoreticalMaximum::requestsPerSecond)
			.average();
		return mean.isPresent() ? (Double) mean.getAsDouble() : null;
	}

}
