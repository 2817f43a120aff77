package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Design;

/**
 * Two runs side by side, as Markdown that can be read on a terminal, too.
 */
public final class ComparisonReport {

	private final NamedRun first;

	private final NamedRun second;

	private final List<Contrast> contrasts;

	/**
	 * Compares two runs.
	 * @param first the one that is called A
	 * @param second the one that is called B and divided by A
	 */
	public ComparisonReport(NamedRun first, NamedRun second) {
		this.first = first;
		this.second = second;
		this.contrasts = Contrast.across(second.results(), first.results());
	}

	/**
	 * Whether there is nothing to compare.
	 * @return whether both have no scenario in common
	 */
	public boolean isEmpty() {
		return this.contrasts.isEmpty();
	}

	/**
	 * Renders in what the runs differ, what it comes to, and every figure.
	 * @return lines, the last one ended
	 */
	public String render() {
		List<Row> rows = this.contrasts.stream()
			.flatMap((contrast) -> Stream.of(contrast.baseline(), contrast.row()))
			.toList();
		StringBuilder text = new StringBuilder("# Two runs side by side\n\n");
		MarkdownReport.list(text, List.of("A is " + description(this.first), "B is " + description(this.second)));
		text.append('\n');
		circumstances(text);
		MarkdownReport.conclusion(text, Conclusion.of(rows, this.contrasts));
		Table table = table();
		text.append(table.toPaddedMarkdown()).append('\n').append(MarkdownReport.escape(table.note())).append('\n');
		named(text, "Something disturbed",
				rows.stream()
					.filter((row) -> row.validBlocks() < row.blocks().size())
					.map((row) -> row.title() + " (" + (row.blocks().size() - row.validBlocks()) + " of "
							+ row.blocks().size() + " blocks)")
					.toList());
		named(text, "Only in A", alone(this.first.results(), Contrast::baseline));
		named(text, "Only in B", alone(this.second.results(), Contrast::row));
		return text.toString();
	}

	private static String description(NamedRun run) {
		RunResults results = run.results();
		return run.name() + ": " + results.title() + ", " + Figures.time(results.startedAt()) + ", "
				+ Figures.blocks(results.settings().blocks()) + "."
				+ ((results.status() == RunResults.Status.COMPLETE) ? "" : " " + Caveat.state(results));
	}

	private void circumstances(StringBuilder text) {
		List<Circumstance> all = Circumstance.of(this.first.results(), this.second.results(), this.contrasts);
		String same = all.stream().filter(Circumstance::same).map(Circumstance::name).collect(Collectors.joining(", "));
		text.append("The same in both: ").append(same.isEmpty() ? "nothing" : same).append(".\n\n");
		List<String> different = all.stream()
			.filter(Predicate.not(Circumstance::same))
			.map(Circumstance::sentence)
			.toList();
		MarkdownReport.list(text, different);
		text.append(different.isEmpty() ? "" : "\n");
	}

	private Table table() {
		return new Table("Figures",
				"B / A is the ratio of the geometric means over the blocks, with its 95 % confidence interval (Welch's, on "
						+ "logarithms). equivalent: the whole interval is within 3 % of 1. inconclusive: more blocks or starts could tell. "
						+ "different: also after Holm's correction for the number of comparisons by this figure. ! is what "
						+ "something other than the gateway disturbed in every block; it is compared with nothing. Blocks of one "
						+ "run tell nothing of what changes from one run to the next, such as the neighbours of a virtual "
						+ "machine: a difference is one of these two runs, and only more runs can tell what made it."
						+ (Stream.of(this.first, this.second)
							.anyMatch((run) -> run.results().settings().design() == Design.DUETS)
									? " In a duet two gateways share the machine, so the latency and throughput of one depend on the other."
									: ""),
				List.of("scenario", "figure", "A", "B", "B / A", "verdict"),
				this.contrasts.stream().flatMap(ComparisonReport::lines).toList());
	}

	private static Stream<List<Cell>> lines(Contrast contrast) {
		Cell title = Cell.of(contrast.row().first().title());
		return Stream.concat(
				Stream
					.concat(Stream.of(Metric.CPU, Metric.ALLOCATION, Metric.MEMORY, Metric.THROUGHPUT),
							contrast.latency().stream())
					.filter(contrast::has)
					.map((metric) -> List.of(title, Cell.of(metric.title()), contrast.baseline().cell(metric),
							contrast.row().cell(metric), ratio(contrast, metric), verdict(contrast, metric))),
				Stream.of(List.of(title, Cell.of("errors"), contrast.baseline().errors(), contrast.row().errors(),
						Cell.UNKNOWN, Cell.of(contrast.failed() ? Mark.FAILED.word() : ""))));
	}

	private static Cell ratio(Contrast contrast, Metric metric) {
		return contrast.comparison(metric)
			.map((comparison) -> Cell.of(comparison.result().ratio(), Figures::significant, Mark.NONE))
			.orElse(Cell.UNKNOWN);
	}

	private static Cell verdict(Contrast contrast, Metric metric) {
		return Cell.of(contrast.comparison(metric)
			.map(Comparison::result)
			.map((result) -> Mark.of(result.effect()))
			.map((mark) -> (mark == Mark.NONE) ? "different" : mark.word())
			.orElse(contrast.disturbed(metric) ? Mark.DISTURBED.word() : Figures.UNKNOWN));
	}

	private List<String> alone(RunResults run, Function<Contrast, Row> side) {
		List<String> common = this.contrasts.stream().map((contrast) -> side.apply(contrast).first().id()).toList();
		return Row.of(run).stream().filter((row) -> !common.contains(row.first().id())).map(Row::title).toList();
	}

	private static void named(StringBuilder text, String what, List<String> names) {
		if (!names.isEmpty()) {
			text.append('\n').append(MarkdownReport.escape(what + ": " + String.join("; ", names))).append('\n');
		}
	}

}
