package io.gatewaybench.benchmark.report;

import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * The part of the report that fits a terminal.
 */
public final class TerminalReport {

	private TerminalReport() {
	}

	/**
	 * Renders the tables and what speaks against them.
	 * @param results the run
	 * @return lines, the last one ended
	 */
	public static String render(RunResults results) {
		Findings findings = new Findings(results);
		StringBuilder text = new StringBuilder();
		for (Section section : findings.headline()) {
			switch (section) {
				case Table table when !table.isEmpty() -> text.append('\n').append(table.toText());
				case Table empty -> {
				}
				case Section.Sentences list ->
					text.append('\n').append(String.join("\n", list.sentences())).append('\n');
			}
		}
		if (findings.errors().isEmpty() && !results.scenarios().isEmpty()) {
			text.append("No errors: ").append(findings.noErrors()).append('\n');
		}
		findings.errors().forEach((error) -> text.append(error).append('\n'));
		findings.warnings().forEach((warning) -> text.append("! ").append(warning).append('\n'));
		return text.toString();
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
