package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.statistics.PairedComparison;
import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;

/**
 * What a run says, in plain words. Every word of it is chosen by a figure, so it can't
 * contradict the tables.
 *
 * @param kind what it comes to
 * @param headline the sentence to read if only one is read
 * @param sentences the others, the most important first
 */
public record Conclusion(Kind kind, String headline, List<String> sentences) {

	/**
	 * From this part of the theoretical maximum on, the backends decide the throughput.
	 */
	private static final double BOUND = 0.97;

	/**
	 * More would fill the first screen.
	 */
	private static final int MOST = 8;

	private static final List<Effect> DIFFERENT = List.of(Effect.LESS, Effect.MORE);

	private static final List<Effect> EQUIVALENT = List.of(Effect.EQUIVALENT);

	private static final List<Effect> INCONCLUSIVE = List.of(Effect.INCONCLUSIVE);

	private static final List<Effect> ONCE = List.of(Effect.UNKNOWN);

	/**
	 * Copies the list.
	 */
	public Conclusion {
		sentences = List.copyOf(sentences);
	}

	/**
	 * What a run comes to.
	 */
	public enum Kind {

		/**
		 * A target did not carry its load.
		 */
		FAILED("Failed"),

		/**
		 * At least one figure of a variant differs from that of its baseline.
		 */
		DIFFERENT("Different"),

		/**
		 * Every compared figure is equivalent.
		 */
		EQUIVALENT("Equivalent"),

		/**
		 * No difference could be shown, and not everything is equivalent.
		 */
		INCONCLUSIVE("Inconclusive"),

		/**
		 * There was nothing to compare.
		 */
		NOTHING("Not compared");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

		/**
		 * The word for it.
		 * @return a word with a capital
		 */
		public String title() {
			return this.title;
		}

	}

	/**
	 * Draws the conclusion of a run.
	 * @param results the run, which need not be complete
	 * @return the conclusion from what was measured so far
	 */
	public static Conclusion of(RunResults results) {
		return of(Row.of(results), Contrast.of(results));
	}

	static Conclusion of(List<Row> rows, List<Contrast> all) {
		List<String> failures = rows.stream()
			.filter((row) -> !row.failed().isEmpty())
			.map(Conclusion::failure)
			.toList();
		boolean failed = rows.stream().anyMatch((row) -> 2 * row.failed().size() > row.blocks().size());
		List<Contrast> contrasts = all.stream()
			.sorted(Comparator
				.comparingDouble((Contrast contrast) -> -largest(contrast.with(metrics(contrast), DIFFERENT)))
				.thenComparingDouble((contrast) -> -largest(different(contrast))))
			.toList();
		List<String> sentences = new ArrayList<>(failures);
		Kind kind = kind(contrasts);
		switch (kind) {
			case DIFFERENT -> sentences.addAll(compared(contrasts));
			case EQUIVALENT, INCONCLUSIVE, NOTHING, FAILED -> {
				sentences.add(summary(contrasts, rows));
				sentences.addAll(compared(contrasts));
			}
		}
		Burst.sentence(rows).ifPresent(sentences::add);
		sentences.addAll(bound(rows));
		// A failure stands first, also if it is too rare to be what the run comes to
		return new Conclusion(failed ? Kind.FAILED : kind, sentences.getFirst(),
				sentences.subList(1, sentences.size()));
	}

	private static String failure(Row row) {
		List<ScenarioResult> failed = row.failed();
		ScenarioResult first = failed.getFirst();
		String why = first.verdict().failures().getFirst() + ".";
		int blocks = row.blocks().size();
		if (blocks == 1) {
			return row.title() + " failed: " + why;
		}
		// Of one block, unlike the number of errors in the table
		Counts all = row.counts();
		return "%s failed in %d of %d blocks. In block %d, %s".formatted(row.title(), failed.size(), blocks,
				first.block(), why)
				+ ((all.failed() == 0) ? "" : " In all blocks, %s of %s requests failed."
					.formatted(Figures.count(all.failed()), Figures.count(all.intended())));
	}

	private static Kind kind(List<Contrast> contrasts) {
		if (contrasts.isEmpty()) {
			return Kind.NOTHING;
		}
		if (!contrasts.stream().allMatch((contrast) -> different(contrast).isEmpty())) {
			return Kind.DIFFERENT;
		}
		boolean complete = contrasts.stream()
			.allMatch((contrast) -> contrast.with(metrics(contrast), EQUIVALENT).size() == metrics(contrast).size());
		return complete ? Kind.EQUIVALENT : Kind.INCONCLUSIVE;
	}

	private static String summary(List<Contrast> contrasts, List<Row> rows) {
		if (contrasts.isEmpty()) {
			return rows.isEmpty() ? "Nothing was measured."
					: "Nothing was compared: under no load were two gateways measured.";
		}
		long equivalent = count(contrasts, EQUIVALENT);
		long inconclusive = count(contrasts, INCONCLUSIVE);
		long once = count(contrasts, ONCE);
		if (equivalent + inconclusive + once == 0) {
			return "Something disturbed every measurement that a comparison needs.";
		}
		if (equivalent + inconclusive == 0) {
			return "Each ratio comes from one undisturbed block, so a difference can't be told from noise.";
		}
		if (kind(contrasts) == Kind.EQUIVALENT) {
			return "Every compared ratio is within 3 % of 1.";
		}
		boolean oneStart = contrasts.stream()
			.flatMap((contrast) -> contrast.comparisons().stream())
			.anyMatch((comparison) -> comparison.result().smallestEffect() == PairedComparison.ONE_START);
		return (oneStart ? "No difference of 20 % or more could be shown" : "No difference could be shown")
				+ ((equivalent > 0)
						? ", but only " + equivalent + " of " + figures(contrasts) + " figures are equivalent" : "")
				+ ".";
	}

	private static List<String> compared(List<Contrast> contrasts) {
		List<String> sentences = new ArrayList<>();
		List<String> known = contrasts.stream()
			.map(Conclusion::sentence)
			.filter((sentence) -> !sentence.isEmpty())
			.toList();
		sentences.addAll(known.subList(0, Math.min(known.size(), MOST)));
		if (known.size() > MOST) {
			sentences.add((known.size() - MOST) + " more comparisons are in the table of ratios.");
		}
		List<String> disturbed = contrasts.stream()
			.filter((contrast) -> contrast.comparisons().isEmpty())
			.map((contrast) -> contrast.row().title() + " with " + contrast.baseline().title())
			.toList();
		if (!disturbed.isEmpty() && disturbed.size() < contrasts.size()) {
			sentences
				.add("Not compared, as something disturbed the measurements: " + String.join(", ", disturbed) + ".");
		}
		return sentences;
	}

	/**
	 * What is known of a row beside its baseline; empty where nothing could be compared.
	 */
	private static String sentence(Contrast contrast) {
		List<Metric> metrics = metrics(contrast);
		List<Comparison> different = different(contrast);
		List<Comparison> equivalent = contrast.with(metrics, EQUIVALENT);
		List<Comparison> unclear = contrast.with(metrics, INCONCLUSIVE);
		List<Comparison> tooSmall = unclear.stream().filter((each) -> each.result().tooSmallForOneStart()).toList();
		List<Comparison> chance = unclear.stream().filter((each) -> each.result().mayBeChance()).toList();
		List<Comparison> inconclusive = unclear.stream()
			.filter((each) -> !tooSmall.contains(each) && !chance.contains(each))
			.toList();
		String baseline = contrast.baseline().title();
		List<String> parts = new ArrayList<>();
		if (!different.isEmpty()) {
			parts.add(((different.getFirst().metric() == Metric.CPU) ? "needs " : "has ") + list(different,
					(comparison) -> times(comparison) + ((comparison == different.getFirst()) ? " of " + baseline : "")
							+ figures(contrast, comparison.metric())));
		}
		if (!equivalent.isEmpty()) {
			parts.add("is equivalent" + (parts.isEmpty() ? " to " + baseline : "") + " in "
					+ list(equivalent, (comparison) -> comparison.metric().title()));
		}
		if (!chance.isEmpty()) {
			parts.add("had " + list(chance, Conclusion::times) + (parts.isEmpty() ? " of " + baseline : "")
					+ ", which may be chance, as many figures are compared");
		}
		if (!inconclusive.isEmpty()) {
			parts.add((parts.isEmpty() ? "can't be told from " + baseline : "is inconclusive") + " in "
					+ list(inconclusive, Conclusion::withInterval));
		}
		if (!tooSmall.isEmpty()) {
			parts.add("shows no difference of 20 % or more" + (parts.isEmpty() ? " from " + baseline : "") + " in "
					+ list(tooSmall, Conclusion::withInterval) + ", and one start can't show a smaller one");
		}
		List<Comparison> once = contrast.with(metrics, ONCE);
		if (!once.isEmpty()) {
			parts.add("had " + list(once, Conclusion::times) + (parts.isEmpty() ? " of " + baseline : "")
					+ ((contrast.row().blocks().size() == 1) ? " in the only block"
							: " in the only undisturbed block"));
		}
		return parts.isEmpty() ? "" : contrast.row().title() + " " + String.join("; it ", parts)
				+ (contrast.failed() ? ". The comparison counts successful responses only." : ".");
	}

	private static String list(List<Comparison> comparisons, Function<Comparison, String> words) {
		List<String> all = comparisons.stream().map(words).toList();
		return (all.size() == 1) ? all.getFirst()
				: String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast();
	}

	private static String times(Comparison comparison) {
		return Figures.ratio(Objects.requireNonNull(comparison.result().ratio())) + " times the "
				+ comparison.metric().title();
	}

	/**
	 * Both figures of a ratio, which alone does not tell whether it matters.
	 */
	private static String figures(Contrast contrast, Metric metric) {
		return Stream.of(contrast.row(), contrast.baseline())
			.flatMap((row) -> row.estimate(metric).stream())
			.map((estimate) -> Figures.of(metric).apply(estimate.interval().estimate()))
			.collect(Collectors.joining(" beside ", " (", ")"));
	}

	private static String withInterval(Comparison comparison) {
		Interval ratio = Objects.requireNonNull(comparison.result().ratio());
		return comparison.metric().title() + " (" + Figures.significant(ratio.estimate()) + ", " + Figures.range(ratio)
				+ ")";
	}

	/**
	 * What decides for a gateway under this load. Throughput says nothing where a
	 * schedule or the backends decide it. Latency says nothing where each gateway has the
	 * highest rate that its latency allows.
	 */
	private static List<Metric> metrics(Contrast contrast) {
		if (contrast.row().first().load().p99LimitMs() != null) {
			return Stream.of(Metric.THROUGHPUT, Metric.CPU).filter(contrast::has).toList();
		}
		List<Metric> metrics = new ArrayList<>();
		Stream.concat(Stream.of(Metric.CPU), contrast.latency().stream()).filter(contrast::has).forEach(metrics::add);
		if (!contrast.row().first().load().openModel() && !(isBound(contrast.row()) && isBound(contrast.baseline()))) {
			metrics.add(Metric.THROUGHPUT);
		}
		return metrics;
	}

	/**
	 * What differs. Memory is worth a word only where it does, and not at different
	 * rates.
	 */
	private static List<Comparison> different(Contrast contrast) {
		boolean alike = contrast.row().first().load().p99LimitMs() == null;
		return contrast.with(
				Stream.concat(metrics(contrast).stream(), alike ? Stream.of(Metric.MEMORY) : Stream.empty()).toList(),
				DIFFERENT);
	}

	private static boolean isBound(Row row) {
		return row.blocks().stream().allMatch((block) -> {
			TheoreticalMaximum maximum = block.theoreticalMaximum();
			return maximum != null && maximum.reached() >= BOUND;
		});
	}

	private static List<String> bound(List<Row> rows) {
		List<Row> gateways = rows.stream().filter((row) -> !row.control()).toList();
		List<Row> bound = gateways.stream().filter(Conclusion::isBound).toList();
		if (bound.isEmpty()) {
			return List.of();
		}
		boolean pauses = bound.getFirst().first().load().thinkMs() != null;
		return List.of(String.format(Locale.ROOT,
				"%s reached at least %.0f %% of the highest throughput that is possible here. The latency of the backends%s and the number of users, or of threads, set it.",
				(bound.size() == gateways.size()) ? "All gateways"
						: bound.stream().map(Row::title).collect(Collectors.joining(", ")),
				100 * BOUND, pauses ? ", the pauses" : ""));
	}

	private static double largest(List<Comparison> different) {
		return different.stream()
			.map((comparison) -> comparison.result().ratio())
			.filter(Objects::nonNull)
			.mapToDouble((Interval ratio) -> Math.abs(Math.log(ratio.estimate())))
			.max()
			.orElse(0);
	}

	private static long count(List<Contrast> contrasts, List<Effect> effects) {
		return contrasts.stream().mapToLong((contrast) -> contrast.with(metrics(contrast), effects).size()).sum();
	}

	private static long figures(List<Contrast> contrasts) {
		return contrasts.stream().mapToLong((contrast) -> metrics(contrast).size()).sum();
	}

}
