package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.result.ScenarioResult.LatencyFigures;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * The whole distributions of latency, which the raw files of a run have and its results
 * do not.
 */
final class Histograms {

	private static final int POINTS_PER_HALVING = 4;

	/**
	 * What fewer samples lie beyond is chance.
	 */
	private static final double SAMPLES_BEYOND = 10;

	private static final double NANOS_PER_MILLI = 1e6;

	private static final double[] PARTS = { 0, 0.5, 0.75, 0.9, 0.99, 0.999 };

	private final Map<String, Map<View, Histogram>> byScenario = new HashMap<>();

	/**
	 * A view of latency.
	 */
	enum View {

		OVERHEAD(LatencyViews::overhead, LatencyFigures::overhead),

		SERVICE(LatencyViews::service, LatencyFigures::service),

		RESPONSE(LatencyViews::response, LatencyFigures::response);

		private final Function<LatencyViews, LatencyHistogram> histogram;

		private final Function<LatencyFigures, LatencySummary> summary;

		View(Function<LatencyViews, LatencyHistogram> histogram, Function<LatencyFigures, LatencySummary> summary) {
			this.histogram = histogram;
			this.summary = summary;
		}

		/**
		 * What it is called on the page.
		 */
		String key() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * A point of a percentile curve.
	 *
	 * @param part the part of the requests that were at most as slow, 0 to 1
	 * @param millis how slow
	 */
	record Point(double part, double millis) {
	}

	static Histograms read(Findings findings) {
		Histograms histograms = new Histograms();
		Set<String> slices = new HashSet<>();
		findings.results().slices().forEach((slice) -> slices.add(slice.scenario() + slice.startedAt()));
		findings.files("raw", "load.json").forEach((file) -> {
			try {
				new LoadFiles(Objects.requireNonNull(file.getParent())).readResult()
					.stages()
					.stream()
					.filter((stage) -> slices.contains(stage.stage() + stage.start()))
					.forEach(histograms::add);
			}
			catch (IOException | IllegalStateException ex) {
				// A damaged file: the summaries of the results are left
			}
		});
		return histograms;
	}

	private void add(StageResult stage) {
		Map<View, Histogram> views = this.byScenario.computeIfAbsent(stage.stage(), (any) -> new EnumMap<>(View.class));
		for (View view : View.values()) {
			Histogram sum = views.computeIfAbsent(view, (any) -> LatencyHistogram.newHistogram());
			stage.types().forEach((type) -> sum.add(view.histogram.apply(type.latency()).histogram()));
		}
	}

	/**
	 * The percentile curve of a row over all its slices, added up sample by sample.
	 */
	List<Point> curve(Row row, View view) {
		Histogram known = this.byScenario.getOrDefault(row.first().id(), Map.of()).get(view);
		return (known == null) ? points(view.summary.apply(row.first().latency())) : points(known);
	}

	private static List<Point> points(Histogram histogram) {
		List<Point> points = new ArrayList<>();
		double last = 1 - SAMPLES_BEYOND / Math.max(1, histogram.getTotalCount());
		for (HistogramIterationValue value : histogram.percentiles(POINTS_PER_HALVING)) {
			double part = value.getPercentileLevelIteratedTo() / 100;
			if (part <= last) {
				points.add(new Point(part, Math.round(value.getValueIteratedTo() / NANOS_PER_MILLI * 1000) / 1000.0));
			}
		}
		return points;
	}

	private static List<Point> points(LatencySummary summary) {
		List<@Nullable Double> millis = Arrays.asList(summary.minMs(), summary.p50Ms(), summary.p75Ms(),
				summary.p90Ms(), summary.p99Ms(), summary.p999Ms());
		List<Point> points = new ArrayList<>();
		for (int i = 0; i < PARTS.length; i++) {
			Double value = millis.get(i);
			if (value != null) {
				points.add(new Point(PARTS[i], value));
			}
		}
		return points;
	}

}
