package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.ClaimResult;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Claim;
import io.gatewaybench.benchmark.suite.Study;
import org.jspecify.annotations.Nullable;

/**
 * What was measured beside what was published, and what is possible.
 */
final class Published {

	private static final String THROUGHPUT = "throughput";

	private Published() {
	}

	/**
	 * Where published figures come from, and ours beside them, figure by figure, those
	 * that are none of ours last. A throughput with a maximum is there also if nothing
	 * was published.
	 */
	static Table table(RunResults results) {
		Map<String, List<List<String>>> ours = new LinkedHashMap<>();
		Map<String, List<List<String>>> others = new LinkedHashMap<>();
		for (Row row : Row.of(results)) {
			Map<String, @Nullable Double> figures = new LinkedHashMap<>(results.published(row.first().id()));
			if (maximum(row) != null) {
				figures.putIfAbsent(THROUGHPUT, null);
			}
			figures.forEach((name, published) -> {
				Metric metric = Metric.named(name).orElse(null);
				((metric != null) ? ours : others).computeIfAbsent(name, (any) -> new ArrayList<>())
					.add(cells(row, name, metric, published));
			});
		}
		Study study = results.study();
		return new Table("Published, measured here, and possible", ((study != null)
				? "Published: " + study.source() + ". " : "")
				+ "The maximum follows from the latency of the backends, and from the number of connections, or of "
				+ "threads where there are fewer. No gateway can exceed it.",
				List.of("figure", "row", "published", "measured here", "maximum"),
				Stream.of(ours, others).flatMap((all) -> all.values().stream()).flatMap(List::stream).toList());
	}

	private static List<String> cells(Row row, String name, @Nullable Metric metric, @Nullable Double published) {
		return (metric == null) ? List.of(name, row.title(), significant(published), Figures.UNKNOWN, Figures.UNKNOWN)
				: List.of(metric.title() + ", " + metric.unit(), row.title(), significant(published),
						significant(row.estimate(metric).map(Estimate::value).orElse(null)),
						significant((metric == Metric.THROUGHPUT) ? maximum(row) : null));
	}

	private static String significant(@Nullable Double value) {
		return (value != null) ? Figures.significant(value) : Figures.UNKNOWN;
	}

	/**
	 * The most that was possible here, the mean over the starts.
	 */
	private static @Nullable Double maximum(Row row) {
		OptionalDouble mean = row.starts()
			.stream()
			.map(ScenarioResult::theoreticalMaximum)
			.filter(Objects::nonNull)
			.mapToDouble(TheoreticalMaximum::requestsPerSecond)
			.average();
		return mean.isPresent() ? (Double) mean.getAsDouble() : null;
	}

	/**
	 * What a reader must know of the study.
	 */
	static Table notes(RunResults results) {
		return Table.ofSentences("How the published measurement differs",
				(results.study() != null) ? results.study().notes() : List.of());
	}

	/**
	 * What the study says, beside what was measured.
	 */
	static Table claims(RunResults results) {
		return new Table("What the study says, and what we find",
				"Both figures are ratios of the two variants that the sentence is about.",
				List.of("what the study says", "published", "ours", "answer"),
				results.claims()
					.stream()
					.map((each) -> List.of(each.claim().text(), published(each.claim()), ours(each), answer(each)))
					.toList());
	}

	private static String published(Claim claim) {
		String title = Metric.named(claim.metric()).orElseThrow().title();
		return switch (claim.direction()) {
			case LESS -> "less ";
			case EQUAL -> "the same ";
			case MORE -> "more ";
		} + title + ((claim.ratio() != null) ? ", " + Figures.significant(claim.ratio()) + " times" : "");
	}

	private static String ours(ClaimResult result) {
		return (result.measured() == null) ? Figures.UNKNOWN
				: Figures.ratio(result.measured().ratio()).replaceFirst(" ", " times ");
	}

	private static String answer(ClaimResult result) {
		return switch (result.answer()) {
			case AGREES -> "we agree";
			case CONTRADICTS -> "we do not agree";
			case OPEN -> "not decided: more starts could tell";
			case UNKNOWN -> "we have not measured both together";
		};
	}

}
