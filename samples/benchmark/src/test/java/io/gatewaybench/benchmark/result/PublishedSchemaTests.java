package io.gatewaybench.benchmark.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.Interval;

import static org.assertj.core.api.Assertions.assertThat;

class PublishedSchemaTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource
	void aPublishedSchemaIsThatOfTheRecords(PublishedSchema schema) throws Exception {
		ObjectNode derived = switch (schema) {
			case RESULTS -> new RecordSchema().of(RunResults.class, "results.json of gateway-bench",
					"results:" + RunResults.SCHEMA_VERSION);
			case FAULTS -> new RecordSchema().of(FaultResults.class, "faults.json of gateway-bench",
					"faults:" + FaultResults.SCHEMA_VERSION);
		};
		String text = JsonMapper.builder()
			.enable(SerializationFeature.INDENT_OUTPUT)
			.build()
			.writeValueAsString(derived) + "\n";
		// To be copied when the change is meant, with another version if readers break
		Files.writeString(Files.createDirectories(Path.of("target")).resolve(schema.file()), text);
		assertThat(schema.text()).as("target/%s is the schema of the records", schema.file()).isEqualTo(text);
	}

	@Test
	void everyKindOfResultIsValid() throws Exception {
		for (Status status : Status.values()) {
			RunResults results = SampleResults
				.of("A title", status, SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1),
						SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.good("webflux-c16", "WebFlux", 2),
						SampleResults.good("webmvc-c16", "WebMVC", 2))
				.withThresholds(List.of(new ThresholdResult("webflux.cpu > 1ms", "c16", Outcome.FAILED,
						new Interval(1.2, 1.1, 1.3, 2), "It holds.")));
			assertThat(results.analysis().comparisons()).isNotEmpty();
			assertThat(PublishedSchema.RESULTS.errors(json(results))).isEmpty();
		}
	}

	@Test
	void whatIsMissingWrongOrUnknownIsInvalid() throws Exception {
		String json = json(SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1)));
		assertThat(PublishedSchema.RESULTS.errors(json.replace("\"okPerSecond\"", "\"okPerSeconds\""))).isNotEmpty();
		assertThat(PublishedSchema.RESULTS.errors(json.replace("\"COMPLETE\"", "\"DONE\""))).isNotEmpty();
		assertThat(PublishedSchema.RESULTS.errors(json.replace("\"seed\" : 42", "\"seed\" : \"42\""))).isNotEmpty();
		assertThat(PublishedSchema.RESULTS.errors("{}")).isNotEmpty();
	}

	private String json(RunResults results) throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, results);
		return Files.readString(file);
	}

}
