package io.gatewaybench.benchmark.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.statistics.PairedComparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ResultsFileTests {

	@TempDir
	private Path directory;

	@Test
	void whatIsWrittenIsReadBackEqual() {
		RunResults results = SampleResults.of("A title", RunResults.Status.FAILED, 2,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 2));
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME), results);
		assertThat(ResultsFile.read(this.directory)).isEqualTo(results);
	}

	@Test
	void writingAgainReplacesTheFileAndLeavesNothingElse() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("First", RunResults.Status.RUNNING, 1));
		ResultsFile.write(file, SampleResults.of("Second", RunResults.Status.COMPLETE, 1));
		assertThat(ResultsFile.read(this.directory).title()).isEqualTo("Second");
		try (Stream<Path> files = Files.list(this.directory)) {
			assertThat(files).containsExactly(file);
		}
	}

	@Test
	void aFieldOfALaterVersionIsIgnored() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE, 1));
		Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"added\": {\"later\": 1},"));
		assertThat(ResultsFile.read(this.directory).title()).isEqualTo("A title");
	}

	@Test
	void resultsThatAreOlderThanThresholdsHaveNone() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE, 1));
		String json = Files.readString(file);
		assertThat(json).containsPattern(",\\s*\"thresholds\" : \\[ ]");
		Files.writeString(file, json.replaceFirst(",\\s*\"thresholds\" : \\[ ]", ""));
		assertThat(ResultsFile.read(this.directory).thresholds()).isEmpty();
	}

	@Test
	void resultsOfAVersionThatKnewNoSeriesOfResourcesAreRead() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1)));
		JsonNode tree = JsonMapper.shared().readTree(Files.readString(file));
		assertThat(tree.findParents("collectionMillis")).isNotEmpty();
		tree.findParents("machine").forEach((resources) -> ((ObjectNode) resources).remove("series"));
		Files.writeString(file, tree.toString());
		assertThat(ResultsFile.read(this.directory).scenarios()).singleElement().satisfies((scenario) -> {
			assertThat(scenario.resources().series()).isNull();
			assertThat(scenario.resources().machine()).isNotNull();
		});
	}

	@Test
	void secondsOfAVersionThatDidNotCountWhatWasSentAreRead() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file,
				SampleResults.of("A title", RunResults.Status.COMPLETE, 1, SampleResults.atRate("WebFlux", 1, 500)));
		JsonNode tree = JsonMapper.shared().readTree(Files.readString(file));
		assertThat(tree.findParents("lagMs")).isNotEmpty().allSatisfy((second) -> {
			((ObjectNode) second).remove("lagMs");
			assertThat(((ObjectNode) second).remove("sent")).isNotNull();
		});
		Files.writeString(file, tree.toString());
		assertThat(ResultsFile.read(this.directory).scenarios().getFirst().series()).hasSize(30)
			.allSatisfy((second) -> {
				assertThat(second.offered()).isEqualTo(430);
				assertThat(second.sent()).isNull();
				assertThat(second.lagMs()).isNull();
			});
	}

	@Test
	void comparisonsOfAVersionThatDidNotTellTheSmallestEffectAreRead() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1)));
		JsonNode tree = JsonMapper.shared().readTree(Files.readString(file));
		assertThat(tree.findParents("smallestEffect")).isNotEmpty()
			.allSatisfy((comparison) -> ((ObjectNode) comparison).remove("smallestEffect"));
		Files.writeString(file, tree.toString());
		assertThat(ResultsFile.read(this.directory).analysis().comparisons()).isNotEmpty()
			.allSatisfy((comparison) -> assertThat(comparison.result().smallestEffect())
				.isEqualTo(PairedComparison.SMALLEST_EFFECT));
	}

	@Test
	void resultsFromBeforeTheAgentsAreRead() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1)));
		ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
		tree.put("schemaVersion", 9);
		assertThat(tree.findParents("agents")).isNotEmpty()
			.allSatisfy((generator) -> ((ObjectNode) generator).remove("agents"));
		Files.writeString(file, tree.toString());
		assertThat(ResultsFile.read(this.directory).scenarios()).singleElement()
			.satisfies((scenario) -> assertThat(scenario.generator().agents()).isEmpty());
	}

	@Test
	void resultsFromBeforeAMetricAreAnalysedByIt() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		RunResults results = SampleResults.of("A title", RunResults.Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1));
		ResultsFile.write(file, results);
		ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
		tree.put("schemaVersion", 10);
		List.of("estimates", "comparisons")
			.forEach((part) -> ((ArrayNode) tree.path("analysis").path(part))
				.removeIf((each) -> each.path("metric").asString().equals("MEMORY")));
		Files.writeString(file, tree.toString());
		assertThat(ResultsFile.read(this.directory).analysis()).isEqualTo(results.analysis());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 8, 99 })
	void aSchemaVersionThatIsTooOldOrTooNewIsRefused(int version) throws Exception {
		Files.writeString(this.directory.resolve(ResultsFile.NAME), "{\"schemaVersion\": " + version + "}");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> ResultsFile.read(this.directory))
			.withMessageContaining("schemaVersion " + version + ", but this version of gateway-bench reads 9 to 11")
			.withMessageContaining(ResultsFile.NAME);
	}

	@Test
	void aFileThatIsNotJsonIsNamed() throws Exception {
		Files.writeString(this.directory.resolve(ResultsFile.NAME), "{\"schemaVersion\": 1, ");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> ResultsFile.read(this.directory))
			.withMessageContaining("is not the result of a run");
	}

	@Test
	void aDirectoryWithoutResultsIsNamed() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> ResultsFile.read(this.directory))
			.withMessageContaining(this.directory.toString())
			.withMessageContaining("bench-results/latest");
	}

}
