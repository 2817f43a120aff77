package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * Two runs side by side, as Markdown that can be read on a terminal, too.
 */
public final class ComparisonReport {

	private static final List<Metric> METRICS = List.of(Metric.CPU, Metric.ALLOCATION, Metric.HEAP, Metric.THROUGHPUT,
			Metric.SERVICE_P50, Metric.SERVICE_P99, Metric.OVERHEAD_P50, Metric.OVERHEAD_P99);

	private final NamedRun first;

	private final NamedRun second;

	private final List<String> common;

	/**
	 * Compares two runs.
	 * @param first the one that is called A
	 * @param second the one that is called B and divided by A
	 */
	public ComparisonReport(NamedRun first, NamedRun second) {
		this.first = first;
		this.second = second;
		List<String> ids = ids(second.results());
		this.common = ids(first.results()).stream().filter(ids::contains).toList();
	}

	private static List<String> ids(RunResults results) {
		return results.scenarios().stream().map(ScenarioResult::id).distinct().toList();
	}

	/**
	 * Whether there is nothing to compare.
	 * @return whether both have no scenario in common
	 */
	public boolean isEmpty() {
		return this.common.isEmpty();
	}

	/**
	 * Renders in what the runs differ, and every figure.
	 * @return lines, the last one ended
	 */
	public String render() {
		StringBuilder text = new StringBuilder("# Two runs side by side\n\n");
		MarkdownReport.list(text, List.of("A is " + description(this.first), "B is " + description(this.second)));
		text.append('\n');
		circumstances(text);
		Table table = table();
		text.append(table.toPaddedMarkdown()).append('\n').append(MarkdownReport.escape(table.note())).append('\n');
		named(text, "Only in A", alone(this.first.results()));
		named(text, "Only in B", alone(this.second.results()));
		return text.toString();
	}

	private static String description(NamedRun run) {
		RunResults results = run.results();
		return run.name() + ": " + results.title() + ", " + Figures.time(results.startedAt()) + ", "
				+ Figures.starts(results.starts()) + "."
				+ ((results.status() == RunResults.Status.COMPLETE) ? "" : " " + Answer.state(results));
	}

	private void circumstances(StringBuilder text) {
		List<Circumstance> all = Circumstance.of(this.first.results(), this.second.results(), this.common);
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
				"B / A is the ratio of the geometric means over the starts, with its 95 % confidence interval where both have "
						+ "several. Two runs saw the machine at different times, so an interval has nothing of what changes from one "
						+ "run to the next, such as the neighbours of a virtual machine. To compare two builds, make them variants "
						+ "of one suite.",
				List.of("scenario", "figure", "A", "B", "B / A"), this.common.stream().flatMap(this::lines).toList());
	}

	private Stream<List<Cell>> lines(String id) {
		Row one = row(this.first.results(), id);
		Row other = row(this.second.results(), id);
		return Stream.concat(
				METRICS.stream()
					.filter((metric) -> one.estimate(metric).isPresent() && other.estimate(metric).isPresent())
					.map((metric) -> List.of(Cell.of(one.title()), Cell.of(metric.title()), one.cell(metric),
							other.cell(metric), ratio(one, other, metric))),
				Stream
					.of(List.of(Cell.of(one.title()), Cell.of("errors"), one.errors(), other.errors(), Cell.UNKNOWN)));
	}

	private static Row row(RunResults results, String id) {
		return Row.of(results).stream().filter((row) -> row.first().id().equals(id)).findFirst().orElseThrow();
	}

	private static Cell ratio(Row one, Row other, Metric metric) {
		Interval ratio = Interval.ofIndependent(values(other, metric), values(one, metric));
		return new Cell(Figures.times(ratio), Figures.range(ratio));
	}

	private static double[] values(Row row, Metric metric) {
		return row.starts()
			.stream()
			.map(metric::of)
			.filter((value) -> value != null && value > 0)
			.mapToDouble(Double::doubleValue)
			.toArray();
	}

	private List<String> alone(RunResults run) {
		return Row.of(run).stream().filter((row) -> !this.common.contains(row.first().id())).map(Row::title).toList();
	}

	private static void named(StringBuilder text, String what, List<String> names) {
		if (!names.isEmpty()) {
			text.append('\n').append(MarkdownReport.escape(what + ": " + String.join("; ", names))).append('\n');
		}
	}

}
