package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
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

	private final Map<String, Map<View, Histogram>> byScenario = new HashMap<>();

	private Histograms() {
	}

	/**
	 * A view of latency.
	 */
	enum View {

		OVERHEAD, SERVICE, RESPONSE;

		/**
		 * What it is called on the page.
		 */
		String key() {
			return name().toLowerCase(Locale.ROOT);
		}

		private LatencySummary of(ScenarioResult result) {
			return switch (this) {
				case SERVICE -> result.latency().service();
				case RESPONSE -> result.latency().response();
				case OVERHEAD -> result.latency().overhead();
			};
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

	static Histograms read(RunResults results, RawFiles raw) {
		Histograms histograms = new Histograms();
		Set<String> slices = new HashSet<>();
		results.slices().forEach((slice) -> slices.add(slice.scenario() + slice.startedAt()));
		for (String name : raw.names()) {
			if (name.endsWith("/load.json")) {
				Path session = Objects.requireNonNull(raw.directory().resolve(name).getParent());
				try {
					new LoadFiles(session).readResult()
						.stages()
						.stream()
						.filter((stage) -> slices.contains(stage.stage() + stage.start()))
						.forEach(histograms::add);
				}
				catch (IOException | IllegalStateException ex) {
					// A damaged file: the summaries of the results are left
				}
			}
		}
		return histograms;
	}

	private void add(StageResult stage) {
		Map<View, Histogram> views = this.byScenario.computeIfAbsent(stage.stage(), (any) -> new EnumMap<>(View.class));
		stage.types().forEach((type) -> {
			views.merge(View.OVERHEAD, type.latency().overhead().histogram(), Histograms::sum);
			views.merge(View.SERVICE, type.latency().service().histogram(), Histograms::sum);
			views.merge(View.RESPONSE, type.latency().response().histogram(), Histograms::sum);
		});
	}

	private static Histogram sum(Histogram one, Histogram other) {
		Histogram sum = one.copy();
		sum.add(other);
		return sum;
	}

	/**
	 * The percentile curve of a row over all its slices, added up sample by sample.
	 */
	List<Point> curve(Row row, View view) {
		Histogram known = this.byScenario.getOrDefault(row.first().id(), Map.of()).get(view);
		return (known == null) ? summary(view.of(row.first())) : points(known);
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

	private static List<Point> summary(LatencySummary summary) {
		return Stream
			.of(point(0, summary.minMs()), point(0.5, summary.p50Ms()), point(0.75, summary.p75Ms()),
					point(0.9, summary.p90Ms()), point(0.99, summary.p99Ms()), point(0.999, summary.p999Ms()))
			.flatMap(Optional::stream)
			.toList();
	}

	private static Optional<Point> point(double part, @Nullable Double millis) {
		return Optional.ofNullable(millis).map((value) -> new Point(part, value));
	}

}
