package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.report.Histograms.View;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The data of the charts of the page, those without any left out.
 *
 * @param results the run
 * @param raw the files of the run
 */
record Charts(RunResults results, RawFiles raw) {

	List<Chart> all() {
		return Stream
			.of(Stream.of(ratios(), figures(), cpu(), percentiles(), rates(), published(), warmups()),
					SecondCharts.of(this.results).all(), Stream.of(Profiles.read(this.results, this.raw).flames()))
			.flatMap(Function.identity())
			.filter((chart) -> !chart.rows().isEmpty())
			.toList();
	}

	/**
	 * The variants that have a colour of their own; the control is grey.
	 */
	List<String> variants() {
		return Row.of(this.results)
			.stream()
			.filter((row) -> !row.control())
			.map((row) -> row.first().variant())
			.distinct()
			.toList();
	}

	private Chart ratios() {
		return Chart.of("ratios", "Ratios to the baseline",
				"Each dot is a variant divided by what it is compared with, each line its 95 % confidence interval. "
						+ "A line that crosses 1 is no proof of a difference; one within the grey band, 3 % around 1, shows that both are equivalent. "
						+ "A line that reaches the edge goes on beyond it. A dot without a line was measured in one block only.",
				List.of("row", "variant", "compared with", "metric", "ratio", "low", "high", "effect"),
				(rows) -> Contrast.of(this.results).forEach((contrast) -> {
					for (Comparison comparison : contrast.comparisons()) {
						Interval ratio = Objects.requireNonNull(comparison.result().ratio());
						rows.add(contrast.row().title(), comparison.variant(), contrast.baseline().title(),
								comparison.metric().title(), ratio.estimate(), ratio.low(), ratio.high(),
								comparison.result().effect());
					}
				}));
	}

	private Chart figures() {
		return Chart.of("figures", "Figures of each row",
				"A bar is the geometric mean over the undisturbed blocks, the line on it its 95 % confidence interval. "
						+ "Each dot is one block; a hollow one was disturbed and does not count.",
				List.of("row", "variant", "metric", "unit", "block", "value", "low", "high", "counts"), (rows) -> {
					for (Metric metric : Metric.values()) {
						Row.of(this.results).forEach((row) -> figures(row, metric, rows));
					}
				});
	}

	private static void figures(Row row, Metric metric, Chart.Rows rows) {
		row.estimate(metric)
			.filter((estimate) -> !estimate.disturbed())
			.map(Estimate::interval)
			.ifPresent((mean) -> rows.add(row.title(), row.first().variant(), metric.title(), metric.unit(), "mean",
					mean.estimate(), mean.low(), mean.high(), true));
		row.blocks()
			.stream()
			.filter((block) -> metric.of(block) != null)
			.forEach((block) -> rows.add(row.title(), block.variant(), metric.title(), metric.unit(), block.block(),
					metric.of(block), null, null, block.verdict().allows(metric)));
	}

	private Chart cpu() {
		return Chart.of("cpu", "CPU per request by thread group",
				"A bar is the CPU time of the gateway per successful response, in the first undisturbed block; its parts are what its threads are for. "
						+ "JIT is the compiler, which has nothing to do in the long run and is not part of CPU per request elsewhere.",
				List.of("row", "variant", "threads", "µs per request"),
				(rows) -> Row.of(this.results).forEach((row) -> row.valid().ifPresent((block) -> {
					ProcessUse use = block.resources().gateway();
					if (use != null) {
						for (ThreadGroup group : ThreadGroup.values()) {
							rows.add(row.title(), block.variant(), Costs.name(group), Costs.micros(block, use, group));
						}
					}
				})));
	}

	private Chart percentiles() {
		Histograms histograms = Histograms.read(this.results, this.raw);
		return Chart.of("percentiles", "Latency by percentile",
				"At 99 % a curve shows the time in which 99 % of the requests were done; further right are the slowest. "
						+ "It ends where fewer than ten requests lie beyond. Service time counts from sending, response time "
						+ "from the intended start, and overhead is service time without that of the backend.",
				List.of("row", "variant", "load", "view", "part of the requests", "ms"),
				(rows) -> Row.of(this.results).forEach((row) -> {
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
		List<Row> open = Row.of(this.results)
			.stream()
			.filter((row) -> row.first().load().rate() != null)
			.filter((row) -> row.estimate(Metric.RESPONSE_P50).isPresent())
			.toList();
		boolean several = open.stream().map((row) -> row.first().load().rate()).distinct().count() > 1;
		return Chart.of("rates", "Latency against offered rate",
				"Each point is a rate at which requests were sent whatever the responses. "
						+ "Where a curve turns up, the variant no longer carries the rate: requests wait, and their waiting is counted. "
						+ "A curve without a gateway shows what backends, network and generator take.",
				List.of("variant", "requests per second", "figure", "ms", "low", "high"), (rows) -> {
					if (several) {
						open.forEach((row) -> Stream.of(Metric.RESPONSE_P50, Metric.SLO_P99)
							.forEach((metric) -> row.estimate(metric)
								.ifPresent((estimate) -> rows.add(row.first().variant(), row.first().load().rate(),
										metric.title(), estimate.interval().estimate(), estimate.interval().low(),
										estimate.interval().high()))));
					}
				});
	}

	private Chart published() {
		return Chart.of("published", "Published, measured here, and possible",
				"A bar is what was measured here, a diamond the published figure, an upright line the maximum that the backends' latency allows. "
						+ "The set-ups differ, so compare the order of variants rather than the figures.",
				List.of("row", "variant", "figure", "published", "measured here", "low", "high", "maximum"),
				(rows) -> Published.of(this.results).forEach((each) -> {
					Interval measured = each.measured();
					if (measured != null) {
						rows.add(each.row().title(), each.row().first().variant(), each.title(), each.published(),
								measured.estimate(), measured.low(), measured.high(), each.maximum());
					}
				}));
	}

	private Chart warmups() {
		return Chart
			.of("warmup", "Warm-up", "CPU time per successful response in each cycle of load before the measurements. "
					+ "A curve that is flat at its end belongs to a warm gateway; one that still falls was measured too early.",
					List.of("start", "variant", "block", "cycle", "CPU, µs", "JIT, µs", "GC, µs", "ok per second"),
					(rows) -> {
						List<WarmupCurve> curves = this.results.warmups();
						for (int start = 0; start < curves.size(); start++) {
							WarmupCurve curve = curves.get(start);
							for (int cycle = 0; cycle < curve.cycles().size(); cycle++) {
								WarmupCurve.Cycle each = curve.cycles().get(cycle);
								rows.add(start + 1, curve.variant(), curve.block(), cycle + 1, each.cpuMicrosPerOk(),
										each.jitMicrosPerOk(), each.gcMicrosPerOk(), each.okPerSecond());
							}
						}
					});
	}

}
