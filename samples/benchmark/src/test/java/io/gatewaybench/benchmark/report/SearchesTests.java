package io.gatewaybench.benchmark.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.GeneratorStats;
import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.LatencyViews;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;

import static org.assertj.core.api.Assertions.assertThat;

class SearchesTests {

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE,
			SampleResults.highestRate("WebFlux", 1, 2_000), SampleResults.highestRate("WebMVC", 1, 1_000));

	@TempDir
	private Path directory;

	@Test
	void theRatesOfASearchAreThoseBeforeItsMeasurement() throws Exception {
		write("both", stage("warm-up 1", 10, 0), stage("search 1 at 1000/s", 300, 0),
				stage("search 2 at 2000/s", 399, 0), stage("search 3 at 4000/s", 401, 0),
				measurement("webflux-highest-p99-400ms"), measurement("webflux-highest-p99-400ms"),
				stage("search 1 at 1000/s", 100, 1), measurement("webmvc-highest-p99-400ms"),
				stage("search 1 at 500/s", 100, 1), measurement("another"));
		assertThat(table().lines()).containsExactly(
				List.of("WebFlux at the highest rate", "1,000", "300 ms", "0", "yes"),
				List.of("WebFlux at the highest rate", "2,000", "399 ms", "0", "yes"),
				List.of("WebFlux at the highest rate", "4,000", "401 ms", "0", "no"),
				List.of("WebMVC at the highest rate", "1,000", "100 ms", "1", "no"));
	}

	@Test
	void withoutItsFilesThereIsNoSearch() throws Exception {
		assertThat(table().isEmpty()).isTrue();
		Files.writeString(Files.createDirectories(this.directory.resolve("raw/damaged")).resolve("load.json"), "{");
		assertThat(table().isEmpty()).isTrue();
	}

	private Table table() throws Exception {
		return Searches.table(RESULTS, RawFiles.of(this.directory));
	}

	private void write(String name, StageResult... stages) throws Exception {
		new LoadResult("stub", name, true, List.of(stages)).write(this.directory.resolve("raw").resolve(name));
	}

	private static StageResult measurement(String name) {
		StageResult stage = stage(name, 300, 0);
		return new StageResult(name, Stage.Kind.MEASURE, stage.start(), stage.seconds(), true, stage.types(),
				stage.series(), stage.generator());
	}

	private static StageResult stage(String name, long millis, long failed) {
		Histogram histogram = new Histogram(1_000, 120_000_000_000L, 3);
		histogram.recordValueWithCount(millis * 1_000_000, 1_000);
		LatencyHistogram latency = LatencyHistogram.of(histogram);
		TypeResult type = new TypeResult("heavy", new Counts(1_000, 1_000 - failed, failed, 0, 0, 0, 0, 0),
				1_000 - failed, Map.of(200, 1_000 - failed), List.of(),
				new LatencyViews(latency, latency, latency, latency), null);
		return new StageResult(name, Stage.Kind.WARMUP, Instant.parse("2026-01-02T03:04:05Z"), 4, true, List.of(type),
				List.of(), new GeneratorStats(latency, 0.5, 16, 0, 0, 0));
	}

}
