package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.jspecify.annotations.Nullable;

/**
 * The charts of the HTML report as inline SVG: one row per measurement, one colour per
 * variant.
 */
final class Charts {

	private static final int WIDTH = 520;

	private static final int LEFT = 178;

	private static final int RIGHT = 84;

	private static final int ROW = 26;

	private static final int COLOURS = 6;

	private final Findings findings;

	private final List<ScenarioResult> scenarios;

	private final List<String> variants;

	Charts(Findings findings) {
		this.findings = findings;
		this.scenarios = findings.results().inSuiteOrder();
		this.variants = this.scenarios.stream().map(ScenarioResult::variant).distinct().toList();
	}

	String cpuPerRequest() {
		double top = this.scenarios.stream()
			.map(Metric.CPU::of)
			.filter(Objects::nonNull)
			.mapToDouble(Double::doubleValue)
			.max()
			.orElse(1);
		return figure("Gateway CPU per request", "µs of CPU per good answer, less is better", (svg, scenario, y) -> {
			Double micros = Metric.CPU.of(scenario);
			bar(svg, scenario, y, (micros != null) ? micros / top : 0);
			value(svg, y, Figures.micros(micros));
		});
	}

	String throughput() {
		double top = this.scenarios.stream()
			.mapToDouble((scenario) -> Math.max(scenario.okPerSecond(),
					(scenario.bound() != null) ? scenario.bound().requestsPerSecond() : 0))
			.max()
			.orElse(1);
		return figure("Throughput",
				"good answers per second; the line is the bound, connections / mean backend latency",
				(svg, scenario, y) -> {
					bar(svg, scenario, y, scenario.okPerSecond() / top);
					if (scenario.bound() != null) {
						double x = x(scenario.bound().requestsPerSecond() / top);
						svg.append(format("<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x,
								y + 3, y + ROW - 3));
					}
					value(svg, y, Figures.perSecond(scenario.okPerSecond()) + "/s");
				});
	}

	String latency() {
		double top = this.scenarios.stream()
			.map((scenario) -> scenario.latency().service())
			.mapToDouble((latency) -> Math.max(orZero(latency.p99Ms()), orZero(latency.p90Ms())))
			.max()
			.orElse(1);
		double scale = (top > 0) ? top : 1;
		return figure("Service time", "P50, P90 and P99 of good answers (closed loop)", (svg, scenario, y) -> {
			LatencySummary latency = scenario.latency().service();
			int middle = y + ROW / 2;
			svg.append(format("<line class=\"axis\" x1=\"%d\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", LEFT,
					x(Math.max(orZero(latency.p99Ms()), orZero(latency.p90Ms())) / scale), middle, middle));
			dot(svg, scenario, latency.p50Ms(), scale, middle, 5);
			dot(svg, scenario, latency.p90Ms(), scale, middle, 4);
			dot(svg, scenario, latency.p99Ms(), scale, middle, 3);
			value(svg, y, Figures.millis(latency.p99Ms()));
		});
	}

	String overTime() {
		return figure("Over time",
				"good answers in every second of the measurement, each row from 0 to its own maximum",
				(svg, scenario, y) -> {
					// The last answers arrive after the end, in a second that is none of
					// the measurement
					List<SecondSample> series = scenario.series()
						.stream()
						.filter((sample) -> sample.second() < scenario.seconds())
						.toList();
					long top = Math.max(1, series.stream().mapToLong(SecondSample::ok).max().orElse(1));
					svg.append("<polyline class=\"k").append(colour(scenario)).append("\" points=\"");
					for (int index = 0; index < series.size(); index++) {
						svg.append(format("%.1f,%.1f ", x(index / (double) Math.max(1, series.size() - 1)),
								y + ROW - 4 - (ROW - 8) * (series.get(index).ok() / (double) top)));
					}
					svg.append("\"/>");
					value(svg, y, Figures.count(top) + "/s");
				});
	}

	private String figure(String caption, String detail, Row row) {
		int height = this.scenarios.size() * ROW;
		StringBuilder svg = new StringBuilder();
		svg.append("<figure><figcaption>")
			.append(HtmlReport.escape(caption))
			.append(" <span>")
			.append(HtmlReport.escape(detail))
			.append("</span></figcaption>\n<svg role=\"img\" aria-label=\"")
			.append(HtmlReport.escape(caption))
			.append("\" viewBox=\"0 0 ")
			.append(WIDTH)
			.append(' ')
			.append(height)
			.append("\">\n");
		svg.append(format("<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"%d\"/>\n", LEFT, LEFT, height));
		int y = 0;
		for (ScenarioResult scenario : this.scenarios) {
			svg.append(format("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 8, y + ROW / 2 + 4,
					HtmlReport.escape(this.findings.name(scenario))));
			row.draw(svg, scenario, y);
			svg.append('\n');
			y += ROW;
		}
		return svg.append("</svg></figure>\n").toString();
	}

	private void bar(StringBuilder svg, ScenarioResult scenario, int y, double part) {
		svg.append(format("<rect class=\"k%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", colour(scenario),
				LEFT, y + 6, x(part) - LEFT, ROW - 12));
	}

	private void dot(StringBuilder svg, ScenarioResult scenario, @Nullable Double millis, double scale, int middle,
			int radius) {
		if (millis != null) {
			svg.append(format("<circle class=\"k%d\" cx=\"%.1f\" cy=\"%d\" r=\"%d\"/>", colour(scenario),
					x(millis / scale), middle, radius));
		}
	}

	private void value(StringBuilder svg, int y, String text) {
		svg.append(format("<text class=\"dim\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", WIDTH, y + ROW / 2 + 4,
				HtmlReport.escape(text)));
	}

	private int colour(ScenarioResult scenario) {
		return this.variants.indexOf(scenario.variant()) % COLOURS;
	}

	private static double x(double part) {
		return LEFT + part * (WIDTH - LEFT - RIGHT);
	}

	private static double orZero(@Nullable Double value) {
		return (value != null) ? value : 0;
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private interface Row {

		void draw(StringBuilder svg, ScenarioResult scenario, int y);

	}

}
