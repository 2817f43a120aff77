package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.report.Histograms.View;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The data of the charts of the page, those without any left out.
 *
 * @param results the run
 * @param raw the files of the run
 */
record Charts(RunResults results, RawFiles raw) {

	/**
	 * More would make the page large and slow.
	 */
	private static final int MOST_SECONDS = 12_000;

	List<Chart> all() {
		return Stream
			.of(ratios(), figures(), cpu(), percentiles(), rates(), published(), warmups(), series(),
					Profiles.read(this.results, this.raw).flames())
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

	private static Chart chart(String id, String caption, String howToRead, List<String> columns,
			Consumer<Rows> filler) {
		List<List<@Nullable Object>> rows = new ArrayList<>();
		filler.accept((values) -> rows.add(Arrays.asList(values)));
		return new Chart(id, caption, howToRead, columns, rows, List.of());
	}

	private Chart ratios() {
		return chart("ratios", "Ratios to the baseline",
				"Each dot is a variant divided by what it is compared with, each line its 95 % confidence interval. "
						+ "A line that crosses 1 is no proof of a difference; one within the grey band, 3 % around 1, shows that both are equivalent. "
						+ "A dot without a line was measured in one block only.",
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
		return chart("figures", "Figures of each row",
				"A bar is the geometric mean over the undisturbed blocks, the line on it its 95 % confidence interval. "
						+ "Each dot is one block; a hollow one was disturbed and does not count.",
				List.of("row", "variant", "metric", "unit", "block", "value", "low", "high", "counts"), (rows) -> {
					for (Metric metric : Metric.values()) {
						Row.of(this.results).forEach((row) -> figures(row, metric, rows));
					}
				});
	}

	private static void figures(Row row, Metric metric, Rows rows) {
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
		return chart("cpu", "CPU per request by thread group",
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
		return chart("percentiles", "Latency by percentile",
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
		return chart("rates", "Latency against offered rate",
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
		return chart("published", "Published, measured here, and possible",
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

	private Chart series() {
		List<ScenarioResult> shown = new ArrayList<>();
		int seconds = 0;
		for (ScenarioResult block : this.results.inSuiteOrder()
			.stream()
			.sorted((one, other) -> Integer.compare(one.block(), other.block()))
			.toList()) {
			seconds += block.series().size();
			if (seconds <= MOST_SECONDS) {
				shown.add(block);
			}
		}
		int left = this.results.scenarios().size() - shown.size();
		Measurements measurements = new Measurements(this.results);
		return chart("series", "Second by second",
				"Offered are requests that were to start in a second, ok and errors those that ended in it; latency is response time. "
						+ "The cursor is the same in all plots. Where steal rises together with a dip, other machines on the same host took the cores."
						+ ((left > 0) ? " " + left + " later measurements are left out to keep this page small." : ""),
				List.of("measurement", "second", "offered", "ok", "errors", "P50, ms", "P99, ms", "max, ms",
						"steal, %"),
				(rows) -> shown.forEach((block) -> {
					MachineUse machine = block.resources().machine();
					List<Double> steal = (machine != null) ? machine.stealBySecond() : List.of();
					for (SecondSample sample : block.series()) {
						// The last answers arrive after the end, in a second that is
						// none of the measurement
						if (sample.second() < block.seconds()) {
							rows.add(measurements.name(block), sample.second(), sample.offered(), sample.ok(),
									sample.errors(), sample.p50Ms(), sample.p99Ms(), sample.maxMs(),
									(sample.second() < steal.size()) ? steal.get(sample.second()) * 100 : null);
						}
					}
				}));
	}

	private Chart warmups() {
		return chart("warmup", "Warm-up",
				"CPU time per successful response in each cycle of load before the measurements. "
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

	/**
	 * What takes the rows of a chart.
	 */
	private interface Rows {

		void add(@Nullable Object... values);

	}

}
