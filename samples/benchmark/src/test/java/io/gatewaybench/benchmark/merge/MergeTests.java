package io.gatewaybench.benchmark.merge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.GeneratorStats;
import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.LatencyViews;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.PublishedSchema;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MergeTests {

	private static final Instant START = Instant.parse("2026-11-25T16:00:00.123456Z");

	@TempDir
	private Path directory;

	@Test
	void countsAndHistogramsAreThoseOfAllHosts() throws Exception {
		List<Path> hosts = List.of(host("b", 2, START.plusMillis(200)), host("a", 1, START), host("c", 3, START));
		RunResults merged = Merge.of(hosts).results(this.directory.resolve("out"));
		assertThat(merged.status()).isEqualTo(Status.COMPLETE);
		assertThat(merged.title()).isEqualTo("A title");
		ScenarioResult scenario = merged.scenarios().getFirst();
		assertThat(scenario.startedAt()).isEqualTo(START);
		assertThat(scenario.counts()).isEqualTo(new Counts(3_000, 2_997, 3, 0, 0, 0, 0, 0));
		assertThat(scenario.okPerSecond()).isEqualTo(2_997 / 30.0);
		assertThat(scenario.load().connections()).isEqualTo(3 * 16);
		assertThat(scenario.load().offered()).isEqualTo(3_000);
		// Host 1 has 1 to 1,000 ms, host 2 2 to 2,000 ms, host 3 3 to 3,000 ms
		LatencyHistogram all = LatencyHistogram
			.merge(IntStream.rangeClosed(1, 3).mapToObj(MergeTests::latency).toList());
		assertThat(scenario.latency().service()).isEqualTo(all.summary());
		assertThat(scenario.series().getFirst().ok()).isEqualTo(3 * 999);
		assertThat(scenario.series().getFirst().p99Ms()).isNull();
		assertThat(scenario.remarks()).containsExactly("segment 2/3: it was disturbed");
		assertThat(merged.slices()).singleElement().satisfies((slice) -> {
			assertThat(slice.startedAt()).isEqualTo(START);
			assertThat(slice.figures()).containsEntry(Metric.THROUGHPUT, 2_997 / 30.0);
		});
		Path raw = this.directory.resolve("out/webflux-1");
		assertThat(LoadResult.read(raw).stages()).hasSize(1);
		HistogramLogReader log = new HistogramLogReader(raw.resolve("heavy-service.hlog").toFile());
		assertThat(((Histogram) log.nextIntervalHistogram()).getTotalCount()).isEqualTo(2_997);
		Path file = this.directory.resolve("results.json");
		ResultsFile.write(file, merged);
		assertThat(PublishedSchema.RESULTS.errors(Files.readString(file))).isEmpty();
	}

	@Test
	void segmentsThatDoNotBelongTogetherAreRefused() throws Exception {
		Path one = host("1", 1, START);
		Path two = host("2", 2, START);
		Path three = host("3", 3, START);
		assertRefused("segment 3 of 3 is missing", one, two);
		assertRefused("segment 2, 3 of 3 is missing", one);
		assertRefused("segment 2/3 is there twice, the second time in " + two, one, two, two, three);
		assertRefused("is segment 1/3 and " + this.directory.resolve("4") + " is segment 2/2", one,
				host("4", new Segment(2, 2), START, 42, Status.COMPLETE, "abc123"));
		assertRefused("are parts of different runs: settings.seed is 42 and 43", one,
				host("5", new Segment(2, 3), START, 43, Status.COMPLETE, "abc123"), three);
		assertRefused("was measured by another version than", one,
				host("6", new Segment(2, 3), START, 42, Status.COMPLETE, "def456"), three);
		assertRefused("segment 2/3 in " + this.directory.resolve("7") + " is not complete but INTERRUPTED", one,
				host("7", new Segment(2, 3), START, 42, Status.INTERRUPTED, "abc123"), three);
		assertRefused("segment 2/3 began webflux-c16, start 1, round 1 2000 ms after segment 1/3, more than 250 ms",
				one, host("8", 2, START.plusSeconds(2)), three);
		assertRefused("is no segment: it was run without --segment",
				host("9", Segment.WHOLE, START, 42, Status.COMPLETE, "abc123"));
	}

	@Test
	void aHostWhoseClockIsWrongIsNamed() throws Exception {
		Path one = host("1", 1, START);
		Path two = host("2", 2, START);
		Path three = host("3", 3, START);
		tellClock(one, "+112 ms");
		tellClock(two, "-20 ms");
		assertThat(Merge.of(List.of(one, two, three))).isNotNull();
		tellClock(three, "+1980 ms");
		assertRefused("the clock of segment 3/3 is 2000 ms ahead of that of segment 2/3, more than 250 ms", one, two,
				three);
	}

	private static void tellClock(Path host, String ahead) {
		RunResults results = ResultsFile.read(host);
		JsonNode tree = JsonMapper.shared().valueToTree(results);
		((ObjectNode) tree.at("/environment/machine")).put(Environment.CLOCK + "http://a:1", ahead);
		ResultsFile.write(host.resolve(ResultsFile.NAME), JsonMapper.shared().treeToValue(tree, RunResults.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "plan.json", "results.json", "raw/webflux-1/load.json" })
	void filesThatAreCutOffOrMissingAreRefused(String name) throws Exception {
		Path one = host("1", 1, START);
		Path two = host("2", 2, START);
		Path three = host("3", 3, START);
		Path file = two.resolve(name);
		byte[] whole = Files.readAllBytes(file);
		for (int length : new int[] { 0, 1, whole.length / 3, whole.length / 2, whole.length - 2 }) {
			Files.write(file, Arrays.copyOf(whole, length));
			assertRefused(two + " has not all files of a run, or damaged ones", one, two, three);
		}
		Files.delete(file);
		assertRefused(two + " has not all files of a run, or damaged ones", one, two, three);
		Files.write(file, "{\"segment\":{\"number\":7,\"count\":3},\"stages\":null}".getBytes());
		assertRefused(two + " has not all files of a run, or damaged ones", one, two, three);
	}

	@Test
	void histogramsAndNamesThatAreForgedAreRefused() throws Exception {
		Path one = host("1", 1, START);
		Path two = host("2", 2, START);
		Path three = host("3", 3, START);
		Path file = two.resolve("raw/webflux-1/load.json");
		String whole = Files.readString(file);
		for (String forged : List.of(whole.replaceAll("\"hdr\":\"[^\"]*\"", "\"hdr\":\"HISTwAAAAAB4nA==\""),
				whole.replaceAll("\"hdr\":\"[^\"]*\"", "\"hdr\":\"?\""), whole.replace("\"heavy\"", "\"../../heavy\""),
				whole.replace("\"ok\":999", "\"ok\":9999"), whole.replace("\"types\":[", "\"types\":[null,"))) {
			assertThat(forged).isNotEqualTo(whole);
			Files.writeString(file, forged);
			assertThatExceptionOfType(InvalidSegmentsException.class).as(forged)
				.isThrownBy(() -> Merge.of(List.of(one, two, three)))
				.withMessageContaining(two + " has not all files of a run, or damaged ones");
		}
	}

	private static void assertRefused(String message, Path... hosts) {
		assertThatExceptionOfType(InvalidSegmentsException.class).isThrownBy(() -> Merge.of(List.of(hosts)))
			.withMessageContaining(message);
	}

	private Path host(String name, int number, Instant start) throws Exception {
		return host(name, new Segment(number, 3), start, 42, Status.COMPLETE, "abc123");
	}

	private Path host(String name, Segment segment, Instant start, long seed, Status status, String commit)
			throws Exception {
		Path host = Files.createDirectories(this.directory.resolve(name));
		ResultsFile.write(host.resolve("plan.json"), Map.of("suite", "mine", "settings", Map.of("seed", seed), "groups",
				List.of("a", "b"), "segment", segment));
		StageResult stage = stage(segment.number(), start);
		new LoadResult("stub", "webflux-1", true, List.of(warmUp(stage), stage)).write(host.resolve("raw/webflux-1"));
		Files.createDirectories(host.resolve("raw/another"));
		ResultsFile.write(host.resolve(ResultsFile.NAME), results(stage, segment.number(), status, commit));
		return host;
	}

	private static RunResults results(StageResult stage, int number, Status status, String commit) {
		ScenarioResult scenario = SampleResults.with(SampleResults.good("webflux-c16", "WebFlux", 1), "startedAt",
				stage.start(), "seconds", stage.seconds(), "counts", stage.total().counts(), "okPerSecond",
				stage.throughput(), "series", stage.series(), "remarks",
				(number == 2) ? List.of("it was disturbed") : List.of());
		RunResults sample = SampleResults.of("A title (segment %d of 3)".formatted(number), status, scenario);
		RunResults one = SampleResults.with(sample, "slices", sample.slices().subList(0, 1));
		String json = JsonMapper.shared().writeValueAsString(one).replace("abc123", commit);
		return JsonMapper.shared().readValue(json, RunResults.class);
	}

	private static StageResult warmUp(StageResult stage) {
		return new StageResult("warm-up 1", Stage.Kind.WARMUP, stage.start(), stage.seconds(), true, stage.types(),
				stage.series(), stage.generator());
	}

	private static StageResult stage(int number, Instant start) {
		LatencyHistogram latency = latency(number);
		TypeResult type = new TypeResult("heavy", new Counts(1_000, 999, 1, 0, 0, 0, 0, 0), 999,
				Map.of(200, 999L, 503, 1L), List.of("GET /a: expected status 200, got 503"),
				new LatencyViews(latency, latency, latency, latency), 1.0);
		return new StageResult("webflux-c16", Stage.Kind.MEASURE, start, 30, true, List.of(type),
				List.of(new SecondSample(0, 1_000, 1_000L, 999, 1, 5.0, 9.0, 9.5, 0.1)),
				new GeneratorStats(latency, 0.5, 16, 0, 0, 0));
	}

	private static LatencyHistogram latency(int number) {
		Histogram histogram = new Histogram(1_000, 120_000_000_000L, 3);
		IntStream.rangeClosed(1, 999).forEach((millis) -> histogram.recordValue(number * millis * 1_000_000L));
		return LatencyHistogram.of(histogram);
	}

}
