package io.gatewaybench.benchmark.load;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

class LoadResultTests {

	@Test
	void aResultIsTheSameAfterAWayThroughJson() {
		LatencyHistogram latency = millis(LongStream.rangeClosed(1, 50));
		TypeResult type = new TypeResult("data", new Counts(51, 50, 1, 0, 0, 0, 0, 0), 49, Map.of(200, 50L, 503, 1L),
				List.of("GET /: expected status 200, got 503"), new LatencyViews(latency, latency, latency, latency),
				20.5);
		StageResult stage = new StageResult("measure", Stage.Kind.MEASURE, Instant.parse("2026-01-02T03:04:05.678Z"), 1,
				true, List.of(type), List.of(new SecondSample(0, 51, 51L, 50, 1, 25.0, 50.0, 50.0, 0.5)),
				new GeneratorStats(latency, 0.01, 1, 3, List.of()));
		LoadResult result = new LoadResult(List.of(stage));
		JsonMapper mapper = JsonMapper.builder().build();
		String json = mapper.writeValueAsString(result);
		assertThat(json).contains("\"p99Ms\":null", "\"503\":1", "\"start\":\"2026-01-02T03:04:05.678Z\"");
		assertThat(mapper.readValue(json, LoadResult.class)).isEqualTo(result);
		assertThat(stage.throughput()).isEqualTo(49);
		assertThat(LoadFiles.parse(LoadFiles.line(new GeneratorLine(null, stage)), GeneratorLine.class).result())
			.isEqualTo(stage);
	}

	@Test
	void aSignOfLifeIsOneLineOfJson() {
		GeneratorLine alive = new GeneratorLine(null, null);
		String line = LoadFiles.line(alive);
		assertThat(line).isEqualTo("{}");
		assertThat(LoadFiles.parse(line, GeneratorLine.class)).isEqualTo(alive);
	}

	@Test
	void percentilesAreThoseOfTheSamples() {
		LatencySummary summary = millis(LongStream.rangeClosed(1, 10_000)).summary();
		assertThat(summary.count()).isEqualTo(10_000);
		assertThat(summary.minMs()).isCloseTo(1, within(0.001));
		assertThat(summary.meanMs()).isCloseTo(5_000.5, within(5.0));
		assertThat(summary.p50Ms()).isCloseTo(5_000, within(5.0));
		assertThat(summary.p75Ms()).isCloseTo(7_500, within(7.5));
		assertThat(summary.p90Ms()).isCloseTo(9_000, within(9.0));
		assertThat(summary.p99Ms()).isCloseTo(9_900, within(10.0));
		assertThat(summary.p999Ms()).isCloseTo(9_990, within(10.0));
		assertThat(summary.maxMs()).isCloseTo(10_000, within(10.0));
	}

	@Test
	void aPercentileWithoutTenSamplesBeyondItIsNotTold() {
		assertThat(millis(LongStream.range(0, 0)).summary())
			.isEqualTo(new LatencySummary(0, null, null, null, null, null, null, null, null));
		assertThat(millis(LongStream.range(0, 19)).summary().p50Ms()).isNull();
		assertThat(millis(LongStream.range(0, 20)).summary().p50Ms()).isNotNull();
		assertThat(millis(LongStream.range(0, 39)).summary().p75Ms()).isNull();
		assertThat(millis(LongStream.range(0, 99)).summary().p90Ms()).isNull();
		LatencySummary summary = millis(LongStream.range(0, 999)).summary();
		assertThat(summary.p90Ms()).isNotNull();
		assertThat(summary.p99Ms()).isNull();
		assertThat(summary.maxMs()).isNotNull();
		assertThat(millis(LongStream.range(0, 9_999)).summary().p999Ms()).isNull();
	}

	@Test
	void typesAreAddedUpSampleBySample() {
		LatencyHistogram fast = millis(LongStream.generate(() -> 1).limit(900));
		LatencyHistogram slow = millis(LongStream.generate(() -> 100).limit(100));
		TypeResult total = TypeResult.merge("total", List.of(type("fast", 900, Map.of(200, 900L), fast),
				type("slow", 100, Map.of(200, 50L, 201, 50L), slow)));
		assertThat(total.counts()).isEqualTo(new Counts(1_000, 1_000, 0, 0, 0, 0, 0, 0));
		assertThat(total.statuses()).isEqualTo(Map.of(200, 950L, 201, 50L));
		assertThat(total.latency().service().summary().p50Ms()).isCloseTo(1, within(0.01));
		assertThat(total.latency().service().summary().p99Ms()).isCloseTo(100, within(0.1));
		assertThat(total.latency().slo().histogram().getTotalCount()).isEqualTo(1_000);
		// 90 and 10 ms, by the number of responses
		assertThat(total.backendMeanMs()).isCloseTo(82, within(0.001));
	}

	@Test
	void aRequestThatIsNotAccountedForShows() {
		assertThat(new Counts(11, 4, 1, 1, 1, 1, 1, 2).balanced()).isTrue();
		assertThat(new Counts(12, 4, 1, 1, 1, 1, 1, 2).balanced()).isFalse();
	}

	@Test
	void aDamagedHistogramIsRefused() {
		LatencyHistogram good = millis(LongStream.range(0, 5));
		assertThatIllegalStateException().isThrownBy(() -> new LatencyHistogram(good.summary(), "!").histogram())
			.withMessageContaining("damaged");
	}

	private static TypeResult type(String name, long ok, Map<Integer, Long> statuses, LatencyHistogram latency) {
		return new TypeResult(name, new Counts(ok, ok, 0, 0, 0, 0, 0, 0), ok, statuses, List.of(),
				new LatencyViews(latency, latency, latency, latency), ok / 10.0);
	}

	private static LatencyHistogram millis(LongStream values) {
		Histogram histogram = LatencyHistogram.newHistogram();
		values.forEach((value) -> histogram.recordValue(value * 1_000_000));
		return LatencyHistogram.of(histogram);
	}

}
