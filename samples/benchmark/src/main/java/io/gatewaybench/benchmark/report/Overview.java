package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.report.Cell.Mark;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The one table that every reader sees: a line per row of the suite.
 */
final class Overview {

	/**
	 * By which latency a load is judged.
	 */
	private enum Latency {

		OVERHEAD("overhead", Metric.OVERHEAD_P50, Metric.OVERHEAD_P99,
				"Overhead is what gateway, network and load generator add to the time of the backend."),

		SERVICE("service time", Metric.SERVICE_P50, Metric.SERVICE_P99,
				"Service time is the time from sending a request to the last byte of its response."),

		// That of the limit
		RESPONSE("response time", Metric.RESPONSE_P50, Metric.SLO_P99,
				"Response time is the time from the intended start of a request to the last byte of its response; P99 counts a failed request as the slowest.");

		private final String title;

		private final Metric median;

		private final Metric p99;

		private final String meaning;

		Latency(String title, Metric median, Metric p99, String meaning) {
			this.title = title;
			this.median = median;
			this.p99 = p99;
			this.meaning = meaning;
		}

	}

	private Overview() {
	}

	static Table of(RunResults results) {
		List<Row> rows = Row.of(results);
		// Services of their own have none, though the control of their backend may have
		// one
		boolean overhead = rows.stream()
			.anyMatch((row) -> !row.control() && row.estimate(Metric.OVERHEAD_P50).isPresent());
		Latency latency = rows.stream().anyMatch((row) -> row.first().load().p99LimitMs() != null) ? Latency.RESPONSE
				: overhead ? Latency.OVERHEAD : Latency.SERVICE;
		return new Table("Result", note(rows, latency),
				List.of("variant", latency.title + " P50", latency.title + " P99", "CPU per request",
						"requests per core", "throughput", "errors", "memory"),
				rows.stream()
					.map((row) -> List.of(name(row), row.cell(latency.median), row.cell(latency.p99),
							row.cell(Metric.CPU), perCore(row), row.cell(Metric.THROUGHPUT), row.errors(),
							row.cell(Metric.MEMORY)))
					.toList());
	}

	private static String note(List<Row> rows, Latency latency) {
		String controls = rows.stream().filter(Row::control).map(Row::title).collect(Collectors.joining(", "));
		return latency.meaning + " "
				+ (controls.isEmpty() ? ""
						: "Without a gateway: " + controls + ". That is what network and generator add. ")
				+ (has(rows, false) ? "Closed model: a user sends its next request when it has the response. " : "")
				+ (has(rows, true) ? "Open model: requests come at a rate, whatever the responses take. " : "")
				+ (rows.stream().anyMatch((row) -> row.first().load().p99LimitMs() != null)
						? "Each gateway was measured at the highest rate that a search with steps of 10 % found, and this is its throughput. "
						: "")
				+ "Requests per core: how many requests per second keep one core busy. "
				+ "Memory: that of the process at the end. A JVM takes what its heap allows before it collects garbage."
				+ (rows.stream().anyMatch((row) -> row.blocks().size() > 1)
						? " A block has one measurement of each variant. Figures are geometric means over the blocks, with 95 % confidence intervals."
						: "")
				+ (rows.stream()
					.anyMatch((row) -> row.estimate(Metric.THROUGHPUT)
						.map(Estimate::disturbed)
						.orElse(false) || row.estimate(Metric.CPU).map(Estimate::disturbed).orElse(false))
								? " Disturbed, or !, is what something other than the gateway spoilt in every block."
								: "")
				+ (rows.stream().anyMatch((row) -> row.blocks().size() > 1 && row.validBlocks() < row.blocks().size())
						? " A block is undisturbed if nothing else took part of the machine or changed the load. What was disturbed does not count. Ratios are taken within blocks in which both are undisturbed, so they may differ from the ratio of two figures of this table."
						: "");
	}

	private static boolean has(List<Row> rows, boolean openModel) {
		return rows.stream().anyMatch((row) -> row.first().load().openModel() == openModel);
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
