package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * The part of the report that fits a terminal.
 */
public final class TerminalReport {

	private static final int MOST_LINES = 6;

	private TerminalReport() {
	}

	/**
	 * Renders what a run comes to, its table, its ratios and what was disturbed.
	 * @param results the run
	 * @return lines, the last one ended
	 */
	public static String render(RunResults results) {
		Findings findings = new Findings(results, RawFiles.NONE);
		Conclusion conclusion = findings.conclusion();
		Measurements measurements = new Measurements(results);
		StringBuilder text = new StringBuilder();
		text.append('\n').append(conclusion.kind().title()).append(". ").append(conclusion.headline()).append('\n');
		conclusion.sentences().forEach((sentence) -> text.append("- ").append(sentence).append('\n'));
		Stream.of(findings.overview(), Compared.of(results), findings.thresholds())
			.filter((table) -> !table.isEmpty())
			.forEach((table) -> text.append('\n').append(table.toText()));
		text.append("\n! ").append(findings.caveat()).append('\n');
		first(measurements.errors().sentences(), "Errors: ", text);
		first(measurements.excluded().lines().stream().map((row) -> row.get(0) + ": " + row.get(1)).toList(),
				"Excluded: ", text);
		return text.toString();
	}

	private static void first(List<String> all, String prefix, StringBuilder text) {
		all.stream().limit(MOST_LINES).forEach((line) -> text.append(prefix).append(line).append('\n'));
		if (all.size() > MOST_LINES) {
			text.append(prefix).append("and ").append(all.size() - MOST_LINES).append(" more, see the report\n");
		}
	}

	/**
	 * The figures of one measurement in one line.
	 * @param scenario what was measured
	 * @return the line
	 */
	public static String line(ScenarioResult scenario) {
		TheoreticalMaximum maximum = scenario.theoreticalMaximum();
		return Figures.perSecond(scenario.okPerSecond()) + " req/s"
				+ ((maximum != null) ? " (" + Figures.percent(maximum.reached()) + " of the theoretical maximum)" : "")
				+ ", P50 " + Figures.millis(scenario.latency().service().p50Ms()) + ", P99 "
				+ Figures.millis(scenario.latency().service().p99Ms()) + ", overhead P50 "
				+ Figures.millis(scenario.latency().overhead().p50Ms()) + ", P99 "
				+ Figures.millis(scenario.latency().overhead().p99Ms()) + ", " + Figures.micros(Metric.CPU.of(scenario))
				+ " CPU/req, " + Figures.count(scenario.counts().failed()) + " errors"
				+ (scenario.verdict().failures().isEmpty() ? ""
						: "; failed: " + String.join("; ", scenario.verdict().failures()))
				+ (scenario.verdict().valid() ? "" : "; invalid: " + String.join("; ", scenario.verdict().reasons()));
	}

}
