package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * One figure over many runs, as Markdown that can be read on a terminal, too.
 */
public final class HistoryReport {

	private HistoryReport() {
	}

	/**
	 * Renders a line per run, the oldest first.
	 * @param runs the runs, in any order; one that is there twice counts once, and one
	 * without the figure is left out
	 * @param metric the figure
	 * @param ids the scenarios; those of which no run has the figure are left out
	 * @return lines, the last one ended
	 */
	public static String render(List<RunResults> runs, Metric metric, List<String> ids) {
		List<RunResults> sorted = runs.stream().distinct().sorted(Comparator.comparing(RunResults::startedAt)).toList();
		List<String> columns = ids.stream()
			.filter((id) -> sorted.stream().anyMatch((run) -> isKnown(run, id, metric)))
			.toList();
		List<String> head = new ArrayList<>(List.of("time", "commit", "machine"));
		head.addAll(columns);
		Table table = new Table(metric.title(),
				"Geometric means over the starts of a run. failed is a gateway that lost requests or ended: its figure "
						+ "counts successful responses only.",
				head,
				sorted.stream()
					.filter((run) -> columns.stream().anyMatch((id) -> isKnown(run, id, metric)))
					.map((run) -> row(run, metric, columns))
					.toList());
		return "# " + table.caption() + "\n\n" + table.toPaddedMarkdown() + '\n' + table.note() + '\n';
	}

	private static List<Cell> row(RunResults run, Metric metric, List<String> ids) {
		Environment environment = run.environment();
		List<Cell> cells = new ArrayList<>(
				List.of(Cell.of(Figures.time(run.startedAt())), Cell.of(Setup.shortCommit(environment)),
						Cell.of(environment.cpu() + ", " + environment.cores() + " cores")));
		ids.forEach((id) -> cells.add(cell(run, id, metric)));
		return cells;
	}

	private static boolean isKnown(RunResults run, String id, Metric metric) {
		return !cell(run, id, metric).equals(Cell.UNKNOWN);
	}

	private static Cell cell(RunResults run, String id, Metric metric) {
		return Row.of(run)
			.stream()
			.filter((row) -> row.first().id().equals(id))
			.findFirst()
			.map((row) -> row.failures().isEmpty() || row.cell(metric).equals(Cell.UNKNOWN) ? row.cell(metric)
					: new Cell(row.cell(metric).text(), "failed"))
			.orElse(Cell.UNKNOWN);
	}

}
