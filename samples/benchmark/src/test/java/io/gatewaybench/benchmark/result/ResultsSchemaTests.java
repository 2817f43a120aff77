package io.gatewaybench.benchmark.result;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.gatewaybench.benchmark.result.RunResults.Status;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsSchemaTests {

	@TempDir
	private Path directory;

	@Test
	void thePublishedSchemaIsThatOfTheRecords() throws Exception {
		String derived = JsonMapper.builder()
			.enable(SerializationFeature.INDENT_OUTPUT)
			.build()
			.writeValueAsString(new RecordSchema().of(RunResults.class, "results.json of gateway-bench",
					Integer.toString(RunResults.SCHEMA_VERSION)))
				+ "\n";
		// To be copied when the change is meant, with another version if readers break
		Files.writeString(Files.createDirectories(Path.of("target")).resolve("results.schema.json"), derived);
		assertThat(ResultsSchema.text()).as("target/results.schema.json is the schema of the records")
			.isEqualTo(derived);
	}

	@Test
	void everyKindOfResultIsValid() throws Exception {
		for (Status status : Status.values()) {
			RunResults results = SampleResults.of("A title", status, 2, SampleResults.direct(1),
					SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 1),
					SampleResults.good("webflux-c16", "WebFlux", 2), SampleResults.good("webmvc-c16", "WebMVC", 2));
			assertThat(results.analysis().comparisons()).isNotEmpty();
			assertThat(ResultsSchema.errors(json(results))).isEmpty();
		}
	}

	@Test
	void whatIsMissingWrongOrUnknownIsInvalid() throws Exception {
		String json = json(SampleResults.of("A title", Status.COMPLETE, 1, SampleResults.direct(1)));
		assertThat(ResultsSchema.errors(json.replace("\"okPerSecond\"", "\"okPerSeconds\""))).isNotEmpty();
		assertThat(ResultsSchema.errors(json.replace("\"COMPLETE\"", "\"DONE\""))).isNotEmpty();
		assertThat(ResultsSchema.errors(json.replace("\"seed\" : 42", "\"seed\" : \"42\""))).isNotEmpty();
		assertThat(ResultsSchema.errors("{}")).isNotEmpty();
	}

	private String json(RunResults results) throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, results);
		return Files.readString(file);
	}

}
