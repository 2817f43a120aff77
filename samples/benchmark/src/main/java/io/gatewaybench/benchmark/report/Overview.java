package io.gatewaybench.benchmark.report;

import java.util.List;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The one table that every reader sees: a line per row of the suite.
 */
final class Overview {

	private Overview() {
	}

	static Table of(RunResults results) {
		List<Row> rows = Row.of(results);
		// Services of their own have none, though the control of their backend may have
		// one
		boolean overhead = rows.stream()
			.anyMatch((row) -> !row.control() && row.estimate(Metric.OVERHEAD_P50).isPresent());
		Metric median = overhead ? Metric.OVERHEAD_P50 : Metric.SERVICE_P50;
		Metric p99 = overhead ? Metric.OVERHEAD_P99 : Metric.SERVICE_P99;
		String latency = overhead ? "overhead" : "service time";
		return new Table("Result", note(rows, overhead),
				List.of("variant", latency + " P50", latency + " P99", "CPU per request", "requests per core",
						"throughput", "errors", "memory"),
				rows.stream()
					.map((row) -> List.of(name(row), row.cell(median), row.cell(p99), row.cell(Metric.CPU),
							perCore(row), row.cell(Metric.THROUGHPUT), row.errors(),
							Cell.of(row.memory(), Figures::mebibytes, Mark.NONE)))
					.toList());
	}

	private static String note(List<Row> rows, boolean overhead) {
		return (overhead ? "Overhead is what gateway, network and load generator add to the time of the backend. "
				: "Service time is the time from sending a request to the last byte of its response. ")
				+ (rows.stream().anyMatch(Row::control)
						? "The lines without CPU have no gateway: they show what network and generator add. " : "")
				+ "Requests per core: how many requests per second keep one core busy."
				+ (rows.stream().anyMatch((row) -> row.blocks().size() > 1)
						? " Figures are geometric means over the blocks, with 95 % confidence intervals." : "")
				+ (rows.stream()
					.anyMatch((row) -> row.estimate(Metric.THROUGHPUT)
						.map(Estimate::disturbed)
						.orElse(false) || row.estimate(Metric.CPU).map(Estimate::disturbed).orElse(false))
								? " Disturbed, or !, is what something other than the gateway spoilt in every block."
								: "");
	}

	private static Cell name(Row row) {
		int valid = row.validBlocks();
		int blocks = row.blocks().size();
		return new Cell(row.title(),
				(valid < blocks && blocks > 1) ? valid + " of " + blocks + " blocks undisturbed" : "",
				row.failed().isEmpty() ? Mark.NONE : Mark.FAILED);
	}

	private static Cell perCore(Row row) {
		return row.estimate(Metric.CPU).map((estimate) -> {
			Interval micros = estimate.interval();
			Interval perSecond = new Interval(1e6 / micros.estimate(),
					(micros.high() != null) ? (Double) (1e6 / micros.high()) : null,
					(micros.low() != null) ? (Double) (1e6 / micros.low()) : null, micros.samples());
			return Cell.of(perSecond, (value) -> Figures.perSecond(value) + "/s",
					estimate.disturbed() ? Mark.DISTURBED : Mark.NONE);
		}).orElse(Cell.UNKNOWN);
	}

}
