package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.result.StartPrior;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * What a run comes to: the first screen of every report. Each sentence follows from an
 * interval of the table and the margin alone, so it can't contradict it.
 *
 * @param sentences the answer to the main question
 * @param table what the variants are like under the load of the question
 * @param howSure what the answer comes from
 * @param next what to choose, and what would tell more
 */
public record Answer(List<String> sentences, Table table, List<String> howSure, List<String> next) {

	private static final int MOST_FIGURES = 5;

	private static final Set<Metric> COSTS = Set.of(Metric.CPU, Metric.ALLOCATION, Metric.HEAP, Metric.MEMORY);

	// On a usual machine, intervals are hardly wider for it
	private static final double TOLD = 1.5;

	// A longer run is no advice
	private static final int MOST_STARTS = 30;

	/**
	 * The answer of a run.
	 * @param results the run, which need not be complete
	 * @return the answer from what was measured so far
	 */
	public static Answer of(RunResults results) {
		List<Row> rows = Row.of(results)
			.stream()
			.filter((row) -> row.load().equals(results.question().load()))
			.toList();
		return new Answer(sentences(results, rows), table(results, rows), howSure(results), next(results));
	}

	private static List<String> sentences(RunResults results, List<Row> rows) {
		List<String> sentences = new ArrayList<>();
		notSure(results).ifPresent(sentences::add);
		List<Row> failed = Row.of(results).stream().filter((row) -> !row.failures().isEmpty()).toList();
		failed.forEach((row) -> sentences
			.add(row.title() + " failed: " + String.join("; ", row.failures().stream().distinct().toList()) + "."));
		for (Comparison comparison : results.answers()) {
			boolean sound = failed.stream()
				.filter((row) -> row.load().equals(comparison.load()))
				.map((row) -> row.first().variant())
				.noneMatch((variant) -> variant.equals(comparison.variant()) || variant.equals(comparison.baseline()));
			if (sound) {
				sentences.add(sentence(comparison, results.question(), results));
			}
		}
		if (results.answers().isEmpty()) {
			sentences.add(withoutComparison(results, rows));
		}
		Burst.sentence(rows).ifPresent(sentences::add);
		return sentences;
	}

	private static String withoutComparison(RunResults results, List<Row> rows) {
		if (results.slices().isEmpty()) {
			return "Nothing was measured" + ((results.failure() != null) ? ": " + results.failure() : ".");
		}
		Metric metric = results.question().metric();
		List<Row> gateways = rows.stream().filter((row) -> !row.control()).toList();
		if (gateways.size() > 1) {
			return "No variant was measured in the same round as its baseline, so there is no ratio.";
		}
		return gateways.isEmpty() ? "There is nothing to compare the control with." : gateways.getFirst().title() + ": "
				+ metric.title() + " " + gateways.getFirst().text(metric) + ". There is nothing to compare it with.";
	}

	/**
	 * What to say first of figures of gateways that were not warm.
	 */
	static Optional<String> notSure(RunResults results) {
		return cold(results, true,
				"NOT SURE, as compilers were still at work in these, and their figures may be too high");
	}

	private static Optional<String> cold(RunResults results, boolean measured, String what) {
		List<String> cold = results.cold(measured);
		return cold.isEmpty() ? Optional.empty()
				: Optional.of("%s: %s. Allow more with --warmup %ds and a longer --time, or choose fewer with --only."
					.formatted(what, String.join(", ", cold), 2 * results.settings().warmup().toSeconds()));
	}

	/**
	 * What an interval says.
	 * @param comparison the comparison
	 * @param question the question, with the margin
	 * @param results the run
	 */
	static String sentence(Comparison comparison, MainQuestion question, RunResults results) {
		Interval ratio = comparison.ratio();
		double low = ratio.low();
		double high = ratio.high();
		double margin = 1 + question.margin();
		String percent = number(question.margin()) + " %";
		boolean same = low >= 1 / margin && high <= margin;
		boolean different = low > 1 || high < 1;
		String name = comparison.variant();
		String what = comparison.metric().title();
		String verb = COSTS.contains(comparison.metric()) ? "needs" : "has";
		String beside = comparison.baseline();
		String range = " (" + Figures.range(ratio) + ")";
		if (different) {
			String amount = (high < 1) ? between(1 - high, 1 - low) + " less" : between(low - 1, high - 1) + " more";
			return "%s %s %s %s than %s%s%s.".formatted(name, verb, amount, what, beside,
					same ? ", which is the same within " + percent : "", range);
		}
		if (same) {
			return "%s %s the same %s as %s, within %s%s.".formatted(name, verb, what, beside, percent, range);
		}
		return "%s %s between %s less and %s more %s than %s%s: not decided at %s.%s".formatted(name, verb,
				number(1 - low) + " %", number(high - 1) + " %", what, beside, range, percent,
				advice(ratio, margin, results));
	}

	/**
	 * How many starts would decide: the interval would be within the margin, or leave out
	 * 1.
	 */
	private static String advice(Interval ratio, double margin, RunResults results) {
		boolean inside = ratio.estimate() < margin && ratio.estimate() > 1 / margin;
		int same = inside ? Math.max(ratio.samplesToExclude(margin), ratio.samplesToExclude(1 / margin))
				: Integer.MAX_VALUE;
		int starts = Math.min(same, ratio.samplesToExclude(1));
		Duration each = perStart(results);
		return (starts > MOST_STARTS) ? " No run of a reasonable length would decide it."
				: " A run with --starts %d, about %s, would.".formatted(starts,
						Figures.duration(each.multipliedBy(starts)));
	}

	private static Duration perStart(RunResults results) {
		Duration all = (results.finishedAt() != null) ? Duration.between(results.startedAt(), results.finishedAt())
				: Duration.ofMinutes(3).multipliedBy(Math.max(1, results.starts()));
		return Duration.ofMinutes(Math.max(1, Math.round(all.toSeconds() / 60.0 / Math.max(1, results.starts()))));
	}

	private static String between(double from, double to) {
		String low = number(from);
		String high = number(to);
		return low.equals(high) ? low + " %" : low + "–" + high + " %";
	}

	private static String number(double part) {
		double percent = 100 * part;
		return String.format(Locale.ROOT, (percent < 9.95) ? "%.1f" : "%.0f", percent).replaceFirst("\\.0$", "");
	}

	/**
	 * The figures that a reader asks for first. What settles at once, whatever the
	 * machine does, is among them.
	 */
	private static Table table(RunResults results, List<Row> rows) {
		List<Row> gateways = rows.stream().filter((row) -> !row.control()).toList();
		boolean open = !gateways.isEmpty() && gateways.getFirst().first().load().openModel();
		Metric latency = open ? Metric.SLO_P99
				: gateways.stream().anyMatch((row) -> row.estimate(Metric.OVERHEAD_P99).isPresent())
						? Metric.OVERHEAD_P99 : Metric.SERVICE_P99;
		List<String> baselines = results.answers().stream().map(Comparison::baseline).distinct().toList();
		List<String> head = new ArrayList<>(List.of("figure"));
		gateways.forEach((row) -> head.add(row.first().variant()));
		return new Table(loadTitle(gateways), "Ratios to " + ((baselines.size() == 1) ? baselines
			.getFirst() : "the baselines") + " are in parentheses, with 95 % intervals.", head, Stream
				.of(results.question().metric(), Metric.CPU, Metric.ALLOCATION, Metric.HEAP, Metric.THROUGHPUT, latency)
				.distinct()
				.filter((metric) -> gateways.stream().anyMatch((row) -> row.estimate(metric).isPresent()))
				.limit(MOST_FIGURES)
				.map((metric) -> {
					List<String> cells = new ArrayList<>(List.of(metric.title()));
					gateways.forEach((row) -> cells.add(cell(row, metric, gateways)));
					return cells;
				})
				.toList());
	}

	private static String loadTitle(List<Row> gateways) {
		return gateways.isEmpty() ? "Figures"
				: gateways.getFirst().first().load().openModel() ? "At " + gateways.getFirst().load()
						: "With " + gateways.getFirst().first().load().connections() + " connections";
	}

	/**
	 * The figure of a row, with its ratio unless one of the two failed.
	 */
	static String cell(Row row, Metric metric, List<Row> rows) {
		if (!row.failures().isEmpty()) {
			return row.text(metric) + " (failed)";
		}
		return row.text(metric) + row.comparison(metric)
			.filter((each) -> rows.stream()
				.filter((other) -> other.first().variant().equals(each.baseline()))
				.allMatch((other) -> other.failures().isEmpty()))
			.map((each) -> " (" + Figures.times(each.ratio()) + ", " + Figures.range(each.ratio()) + ")")
			.orElse("");
	}

	private static List<String> howSure(RunResults results) {
		List<String> sentences = new ArrayList<>();
		if (results.status() != RunResults.Status.COMPLETE) {
			sentences.add(state(results));
		}
		if (results.slices().isEmpty()) {
			return sentences;
		}
		cold(results, false, "Left out, as compilers were still at work").ifPresent(sentences::add);
		sentences.add(played(results));
		if (results.starts() == 1) {
			sentences.add(
					"One start: how much the next one would differ is taken from earlier runs, and not from this one.");
		}
		if (results.answers().size() > 1) {
			sentences.add("The 95 % are those of all " + results.answers().size() + " answers together.");
		}
		sentences.add(disturbed(results));
		between(results).forEach(sentences::add);
		if (results.warmups().stream().map(WarmupCurve::steady).anyMatch(Objects::isNull)) {
			sentences.add("Nobody waited until the gateways were warm, so the figures may be those of cold ones.");
		}
		if (!results.voids().isEmpty()) {
			sentences.add(results.voids().size() + " slices were void and played again, the first one as "
					+ results.voids().getFirst() + ".");
		}
		remarks(results).forEach(sentences::add);
		return sentences;
	}

	private static String played(RunResults results) {
		long slices = results.slices().size();
		double seconds = results.scenarios().stream().mapToDouble(ScenarioResult::seconds).sum() / slices;
		IntSummaryStatistics rounds = results.slices()
			.stream()
			.collect(Collectors.groupingBy(Slice::start, Collectors.mapping(Slice::round, Collectors.toSet())))
			.values()
			.stream()
			.collect(Collectors.summarizingInt(Set::size));
		String of = ((rounds.getMin() < rounds.getMax()) ? rounds.getMin() + " to " : "") + rounds.getMax();
		return String.format(Locale.ROOT, "%d %s of all gateways with %s %s%s, %d slices of %.0f s.", results.starts(),
				(results.starts() == 1) ? "start" : "starts", of, of.equals("1") ? "round" : "rounds",
				(results.starts() == 1) ? "" : " each", slices, seconds);
	}

	private static String disturbed(RunResults results) {
		double steal = results.slices().stream().mapToDouble(Slice::steal).average().orElse(0);
		double worst = results.slices().stream().mapToDouble(Slice::steal).max().orElse(0);
		double foreign = results.slices().stream().mapToDouble(Slice::foreign).average().orElse(0);
		double widening = widening(results);
		String busy = (widening < TOLD) ? "" : String.format(Locale.ROOT,
				" Gateways that get few of the cores have other ratios, so starts may differ %.1f times as much as on a quiet machine.",
				widening);
		return String.format(Locale.ROOT,
				"Other machines on the host took %.1f %% of the CPU time (%.0f %% in the worst slice), other programs %.1f %%. "
						+ "Every variant met it in random order: it makes the intervals wider.%s",
				100 * steal, 100 * worst, 100 * foreign, busy);
	}

	private static double widening(RunResults results) {
		return StartPrior.widening(Slice.taken(results.slices(),
				results.scenarios()
					.stream()
					.filter((each) -> !each.control() && each.load().id().equals(results.question().load()))
					.map(ScenarioResult::id)
					.toList()));
	}

	/**
	 * CPU time that no slice has would be missed if one variant had more of it.
	 */
	private static Stream<String> between(RunResults results) {
		List<Double> parts = results.scenarios()
			.stream()
			.map(ScenarioResult::gateway)
			.filter(Objects::nonNull)
			.map(ScenarioResult.GatewayFigures::betweenSlices)
			.filter(Objects::nonNull)
			.sorted()
			.toList();
		return parts.stream()
			.limit(1)
			.map((least) -> "Gateways used " + between(least, parts.getLast())
					+ " of their CPU time between their slices; no figure has it.");
	}

	private static Stream<String> remarks(RunResults results) {
		List<String> remarks = results.scenarios()
			.stream()
			.flatMap((scenario) -> scenario.remarks().stream().map((remark) -> scenario.title() + ": " + remark))
			.distinct()
			.toList();
		String more = (remarks.size() > 1) ? " " + (remarks.size() - 1) + " more remarks are in the report." : "";
		return remarks.stream().limit(1).map((first) -> first + "." + more);
	}

	static String state(RunResults results) {
		return switch (results.status()) {
			case INTERRUPTED -> "The run was interrupted; this is what was known by then.";
			case FAILED -> "The run failed: " + results.failure();
			default -> "The run is not over, or was killed.";
		};
	}

	private static List<String> next(RunResults results) {
		List<String> next = new ArrayList<>(results.choose());
		double widest = results.answers().stream().mapToDouble((each) -> each.ratio().halfWidth()).max().orElse(0);
		if (widening(results) >= TOLD) {
			next.add("Stop other programs, and run it again: the intervals are narrower on a quiet machine.");
		}
		// Beyond, the figure says nothing, and no advice follows from it
		else if (widest > 0 && widest < 1) {
			int starts = 2 * Math.max(2, results.starts());
			next.add(String.format(Locale.ROOT,
					"To know it better than within %s %%: --starts %d takes about %s, and makes the intervals narrower by a third.",
					number(widest), starts, Figures.duration(perStart(results).multipliedBy(starts))));
		}
		return next;
	}

}
