package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Design;

/**
 * What limits a run most. The others are in the section on how to read it.
 */
final class Caveat {

	private Caveat() {
	}

	static String of(RunResults results) {
		List<Row> rows = Row.of(results);
		List<Row> disturbed = rows.stream().filter((row) -> row.valid().isEmpty()).toList();
		Method method = new Method(results);
		if (results.status() != RunResults.Status.COMPLETE) {
			return state(results);
		}
		if (!disturbed.isEmpty()) {
			return disturbed.stream().map(Row::title).collect(Collectors.joining(", "))
					+ ": something other than the gateway disturbed every measurement. In the first block, "
					+ String.join("; ", disturbed.getFirst().first().verdict().reasons())
					+ ". The report does not compare the disturbed figures.";
		}
		if (method.repetitions() == 1) {
			return method.certainty();
		}
		if (results.settings().design() == Design.DUETS) {
			return "Two gateways ran at the same time and shared the machine, so their ratios count, and their latency and throughput do not. "
					+ method.certainty();
		}
		if (rows.stream().noneMatch(Row::control)
				&& rows.stream().anyMatch((row) -> row.estimate(Metric.OVERHEAD_P50).isPresent())) {
			return "There is no control without a gateway, so it is not known how much of the overhead is that of network and load generator.";
		}
		return method.certainty();
	}

	static String state(RunResults results) {
		int inBlock = (results.settings().design() == Design.DUETS) ? 2 : results.planned().size();
		return switch (results.status()) {
			case INTERRUPTED -> "The run was interrupted";
			case FAILED -> "The run failed (" + results.failure() + ")";
			default -> "The run is not over, or was killed";
		} + "; " + results.scenarios().size() + " of " + inBlock * results.settings().blocks()
				+ " measurements are in this report.";
	}

}
