package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.Estimate;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The charts of the HTML report: one row per scenario or comparison, one colour per
 * variant, one dot per block, hollow if it is invalid.
 */
final class Charts {

	private static final int COLOURS = 6;

	private final Findings findings;

	private final Map<String, List<ScenarioResult>> rows;

	private final List<String> variants;

	Charts(Findings findings) {
		this.findings = findings;
		this.rows = findings.byScenario();
		this.variants = findings.results().inSuiteOrder().stream().map(ScenarioResult::variant).distinct().toList();
	}

	String all() {
		return ratios()
				+ metric(Metric.CPU, "Gateway CPU per request", "µs of CPU per successful response, less is better")
				+ split()
				+ metric(Metric.THROUGHPUT, "Throughput",
						"successful responses per second; the thick line is the theoretical maximum, connections / mean backend latency")
				+ metric(Metric.SERVICE_P50, "Median of the service time", "ms")
				+ metric(Metric.SERVICE_P99, "P99 of the service time", "ms") + warmups() + overTime();
	}

	/**
	 * A forest plot.
	 */
	private String ratios() {
		List<Comparison> comparisons = this.findings.results()
			.analysis()
			.comparisons()
			.stream()
			.filter((comparison) -> comparison.metric() == Metric.CPU && comparison.result().ratio() != null)
			.toList();
		if (comparisons.isEmpty()) {
			return "";
		}
		List<Interval> ratios = comparisons.stream().map((comparison) -> comparison.result().ratio()).toList();
		// An interval of few blocks can be so wide that nothing else would be seen
		double top = Math.max(1.2, 1.6 * ratios.stream().mapToDouble(Interval::estimate).max().orElse(1));
		Svg svg = new Svg();
		for (int index = 0; index < comparisons.size(); index++) {
			Comparison comparison = comparisons.get(index);
			Interval ratio = ratios.get(index);
			svg.row(comparison.variant() + " " + comparison.load());
			svg.mark(1 / top);
			whisker(svg, ratio, top);
			svg.dot(style(comparison.variant()), ratio.estimate() / top, 5);
			svg.end(Figures.significant(ratio.estimate()));
		}
		List<String> baselines = comparisons.stream().map(Comparison::baseline).distinct().toList();
		return svg.figure(
				"CPU per request beside "
						+ ((baselines.size() == 1) ? baselines.getFirst() : "what each is compared with"),
				"ratio and its 95 % confidence interval; a difference could be detected where it does not cross the line at 1");
	}

	private String metric(Metric metric, String caption, String detail) {
		double top = top(metric);
		Svg svg = new Svg();
		this.rows.forEach((title, blocks) -> {
			List<Double> values = blocks.stream().map(metric::of).filter(Objects::nonNull).toList();
			if (values.isEmpty()) {
				return;
			}
			Interval estimate = this.findings.estimate(blocks.getFirst(), metric).map(Estimate::interval).orElse(null);
			svg.row(title);
			if (estimate != null) {
				svg.bar(style(blocks.getFirst().variant()) + " faint", 0, estimate.estimate() / top);
				whisker(svg, estimate, top);
			}
			for (ScenarioResult block : blocks) {
				Double value = metric.of(block);
				if (value != null) {
					svg.dot(style(block.variant()) + (block.verdict().allows(metric) ? "" : " hollow"), value / top, 3);
				}
			}
			if (metric == Metric.THROUGHPUT && blocks.getFirst().theoreticalMaximum() != null) {
				svg.mark(blocks.getFirst().theoreticalMaximum().requestsPerSecond() / top);
			}
			svg.end((estimate != null) ? Figures.significant(estimate.estimate()) : "invalid");
		});
		return svg.figure(caption, detail);
	}

	private double top(Metric metric) {
		ToDoubleFunction<ScenarioResult> bound = (
				result) -> (metric == Metric.THROUGHPUT && result.theoreticalMaximum() != null)
						? result.theoreticalMaximum().requestsPerSecond() : 0;
		double top = 0;
		for (ScenarioResult result : this.findings.results().scenarios()) {
			Double value = metric.of(result);
			top = Math.max(top, Math.max((value != null) ? value : 0, bound.applyAsDouble(result)));
		}
		return (top > 0) ? top : 1;
	}

	/**
	 * Where the CPU time goes.
	 */
	private String split() {
		List<ScenarioResult> first = new ArrayList<>();
		this.rows.values()
			.forEach((blocks) -> blocks.stream()
				.filter((block) -> block.verdict().valid() && block.resources().gateway() != null)
				.findFirst()
				.ifPresent(first::add));
		double top = first.stream().mapToDouble(Charts::cpuMicros).max().orElse(1);
		Svg svg = new Svg();
		for (ScenarioResult result : first) {
			ProcessUse use = result.resources().gateway();
			if (use != null) {
				svg.row(result.title());
				double from = 0;
				for (ThreadGroup group : ThreadGroup.values()) {
					double to = from + use.cpuSeconds(group) * 1e6 / Math.max(1, result.counts().ok()) / top;
					svg.bar("g" + group.ordinal(), from, to);
					from = to;
				}
				svg.end(Figures.micros(cpuMicros(result)));
			}
		}
		return first.isEmpty() ? "" : svg.figure("Where the CPU time of a request goes",
				"from left to right: event loop, Tomcat, carriers of virtual threads, HTTP client, GC, JIT, other, threads that ended");
	}

	private static double cpuMicros(ScenarioResult result) {
		ProcessUse use = result.resources().gateway();
		return (use != null) ? use.cpuSeconds() * 1e6 / Math.max(1, result.counts().ok()) : 0;
	}

	private String warmups() {
		List<WarmupCurve> curves = this.findings.results()
			.warmups()
			.stream()
			.filter((curve) -> !curve.cycles().isEmpty())
			.toList();
		Svg svg = new Svg();
		for (WarmupCurve curve : curves) {
			double[] micros = curve.cycles()
				.stream()
				.mapToDouble((cycle) -> (cycle.cpuMicrosPerOk() != null) ? cycle.cpuMicrosPerOk() : 0)
				.toArray();
			double top = 1;
			for (double value : micros) {
				top = Math.max(top, value);
			}
			for (int index = 0; index < micros.length; index++) {
				micros[index] /= top;
			}
			svg.row(curve.variant() + " #" + curve.block());
			svg.curve(style(curve.variant()), micros);
			svg.end(Figures.micros(micros[micros.length - 1] * top));
		}
		return curves.isEmpty() ? "" : svg.figure("Warm-up",
				"CPU per successful response, cycle by cycle, each row from 0 to its own maximum");
	}

	private String overTime() {
		Svg svg = new Svg();
		this.rows.forEach((title, blocks) -> {
			// The last answers arrive after the end, in a second that is none of the
			// measurement
			List<List<SecondSample>> series = blocks.stream()
				.map((block) -> block.series().stream().filter((each) -> each.second() < block.seconds()).toList())
				.toList();
			long top = Math.max(1, series.stream().flatMap(List::stream).mapToLong(SecondSample::ok).max().orElse(1));
			svg.row(title);
			series.forEach((one) -> svg.curve(style(blocks.getFirst().variant()),
					one.stream().mapToDouble((sample) -> sample.ok() / (double) top).toArray()));
			svg.end(Figures.count(top) + "/s");
		});
		return svg.figure("Over time",
				"successful responses in every second, one line per block, each row from 0 to its own maximum");
	}

	private static void whisker(Svg svg, Interval interval, double top) {
		if (interval.low() != null && interval.high() != null) {
			svg.whisker(interval.low() / top, interval.high() / top);
		}
	}

	private String style(String variant) {
		return "k" + Math.max(0, this.variants.indexOf(variant)) % COLOURS;
	}

}
