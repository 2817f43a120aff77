package io.gatewaybench.benchmark.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.report.Histograms.View;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

/**
 * The data of the charts of the page, those without any left out.
 *
 * @param findings what the page says
 */
record Charts(Findings findings) {

	List<Chart> all() {
		return Stream
			.of(ratios(), figures(), cpu(), percentiles(), rates(), seconds(), Profiles.read(this.findings).flames())
			.filter((chart) -> !chart.rows().isEmpty())
			.toList();
	}

	/**
	 * The variants that have a colour of their own; the control is grey.
	 */
	List<String> variants() {
		return Row.of(results())
			.stream()
			.filter((row) -> !row.control())
			.map((row) -> row.first().variant())
			.distinct()
			.toList();
	}

	private RunResults results() {
		return this.findings.results();
	}

	private Chart ratios() {
		return Chart.of("ratios", "Ratios to the baseline",
				"Each dot is a variant divided by what it is compared with, each line its 95 % confidence interval: the true ratio "
						+ "is somewhere on the line. The grey band is the margin within which a difference makes none to you. "
						+ "A line that reaches the edge goes on beyond it.",
				List.of("row", "variant", "compared with", "metric", "ratio", "low", "high", "margin"),
				(rows) -> Row.of(results()).forEach((row) -> {
					for (Metric metric : Metric.values()) {
						row.comparison(metric)
							.ifPresent((each) -> rows.add(row.title(), each.variant(), each.baseline(), metric.title(),
									each.ratio().estimate(), each.ratio().low(), each.ratio().high(),
									results().question().margin()));
					}
				}));
	}

	private Chart figures() {
		return Chart.of("figures", "Figures of each row",
				"A bar is the geometric mean over the starts. Each dot is one start, so the dots show how much starts differ.",
				List.of("row", "variant", "metric", "unit", "start", "value"), (rows) -> {
					for (Metric metric : Metric.values()) {
						Row.of(results()).forEach((row) -> figures(row, metric, rows));
					}
				});
	}

	private static void figures(Row row, Metric metric, Chart.Rows rows) {
		row.estimate(metric)
			.ifPresent((mean) -> rows.add(row.title(), row.first().variant(), metric.title(), metric.unit(), "mean",
					mean.value()));
		row.starts()
			.stream()
			.filter((start) -> metric.of(start) != null)
			.forEach((start) -> rows.add(row.title(), start.variant(), metric.title(), metric.unit(), start.start(),
					metric.of(start)));
	}

	private Chart cpu() {
		return Chart.of("cpu", "CPU per request by thread group",
				"A bar is the CPU time of the gateway per successful response, in the first start; its parts are what its threads are for. "
						+ "JIT is the compiler, which has nothing to do in the long run and is not part of CPU per request elsewhere.",
				List.of("row", "variant", "threads", "µs per request"),
				(rows) -> Row.of(results()).stream().map(Row::first).forEach((result) -> {
					ProcessUse use = result.resources().gateway();
					if (use != null) {
						for (ThreadGroup group : ThreadGroup.values()) {
							rows.add(result.title(), result.variant(), group.title(),
									use.cpuSeconds(group) * 1e6 / Math.max(1, result.counts().ok()));
						}
					}
				}));
	}

	private Chart percentiles() {
		Histograms histograms = Histograms.read(this.findings);
		return Chart.of("percentiles", "Latency by percentile",
				"At 99 % a curve shows the time in which 99 % of the requests were done; further right are the slowest. "
						+ "It ends where fewer than ten requests lie beyond. Service time counts from sending, response time "
						+ "from the intended start, and overhead is service time without that of the backend.",
				List.of("row", "variant", "load", "view", "part of the requests", "ms"),
				(rows) -> Row.of(results()).forEach((row) -> {
					for (View view : View.values()) {
						histograms.curve(row, view)
							.forEach((point) -> rows.add(row.title(), row.first().variant(), row.load(), view.key(),
									point.part(), point.millis()));
					}
				}));
	}

	/**
	 * Latency against what was offered, where there is more than one rate.
	 */
	private Chart rates() {
		List<Row> open = Row.of(results())
			.stream()
			.filter((row) -> row.first().load().rate() != null)
			.filter((row) -> row.estimate(Metric.RESPONSE_P50).isPresent())
			.toList();
		boolean several = open.stream().map((row) -> row.first().load().rate()).distinct().count() > 1;
		return Chart.of("rates", "Latency against offered rate",
				"Each point is a rate at which requests were sent whatever the responses. "
						+ "Where a curve turns up, the variant no longer carries the rate: requests wait, and their waiting is counted. "
						+ "A curve without a gateway shows what backends, network and generator take.",
				List.of("variant", "requests per second", "figure", "ms"), (rows) -> {
					if (several) {
						open.forEach((row) -> Stream.of(Metric.RESPONSE_P50, Metric.SLO_P99)
							.forEach((metric) -> row.estimate(metric)
								.ifPresent((estimate) -> rows.add(row.first().variant(), row.first().load().rate(),
										metric.title(), estimate.value()))));
					}
				});
	}

	private Chart seconds() {
		return Chart.of("series", "Second by second",
				"Offered are requests that were to start in a second, sent those that went out to the target in it, ok and errors those that "
						+ "ended in it; latency is response time. Generator lag is how late the generator itself was, at most. "
						+ "Where sent is less than offered, or lag is high, requests waited in the generator, for it or for a free "
						+ "connection, and not in the gateway. These are the seconds of the first start.",
				List.of("measurement", "second", "offered", "sent", "ok", "errors", "P50, ms", "P99, ms", "max, ms",
						"generator lag, ms"),
				(rows) -> Row.of(results())
					.stream()
					.map(Row::first)
					.sorted(Comparator.comparing(ScenarioResult::control))
					.forEach((result) -> result.series()
						.stream()
						// What ended after the window
						.filter((sample) -> sample.second() < result.seconds())
						.forEach((sample) -> rows.add(result.title(), sample.second(), sample.offered(), sample.sent(),
								sample.ok(), sample.errors(), sample.p50Ms(), sample.p99Ms(), sample.maxMs(),
								sample.lagMs()))));
	}

}
