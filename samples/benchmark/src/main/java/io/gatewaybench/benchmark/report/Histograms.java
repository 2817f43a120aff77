package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole distributions of latency, which the raw files of a run have and its results
 * do not.
 */
final class Histograms {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final int POINTS_PER_HALVING = 4;

	/**
	 * What fewer samples lie beyond is chance.
	 */
	private static final double SAMPLES_BEYOND = 10;

	private static final double NANOS_PER_MILLI = 1e6;

	private static final LatencySummary NO_SAMPLES = new LatencySummary(0, null, null, null, null, null, null, null,
			null);

	// By the start of the measurement, of which no two are the same
	private final Set<String> slices = new HashSet<>();

	private final Map<String, Map<View, Histogram>> byScenario = new HashMap<>();

	private Histograms() {
	}

	/**
	 * A view of latency.
	 */
	enum View {

		OVERHEAD, SERVICE, RESPONSE;

		/**
		 * What it is called in raw files.
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
		results.slices().forEach((slice) -> {
			histograms.slices.add(slice.scenario() + slice.startedAt());
			histograms.byScenario.put(slice.scenario(), new EnumMap<>(View.class));
		});
		raw.names()
			.stream()
			.filter((name) -> name.endsWith("/load.json"))
			.flatMap((name) -> raw.text(name).stream())
			.forEach(histograms::add);
		return histograms;
	}

	private void add(String load) {
		try {
			MAPPER.readTree(load).path("stages").forEach((stage) -> {
				String scenario = stage.path("stage").asString("");
				Map<View, Histogram> views = this.byScenario.get(scenario);
				// One that was void does not count
				if (views != null && this.slices.contains(scenario + stage.path("start").asString(""))) {
					stage(views, stage);
				}
			});
		}
		catch (JacksonException ex) {
			// Without the file the summary draws the curve, see below
			return;
		}
	}

	private static void stage(Map<View, Histogram> views, JsonNode stage) {
		try {
			stage.path("types").forEach((type) -> add(views, type.path("latency")));
		}
		catch (IllegalStateException ex) {
			// Some of its types would draw a wrong curve
			views.clear();
		}
	}

	private static void add(Map<View, Histogram> views, JsonNode latency) {
		for (View view : View.values()) {
			String hdr = latency.path(view.key()).path("hdr").asString("");
			if (!hdr.isEmpty()) {
				Histogram histogram = new LatencyHistogram(NO_SAMPLES, hdr).histogram();
				views.merge(view, histogram, Histograms::sum);
			}
		}
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
