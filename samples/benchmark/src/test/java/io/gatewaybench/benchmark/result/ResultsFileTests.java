package io.gatewaybench.benchmark.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatewaybench.benchmark.failure.BenchFailure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ResultsFileTests {

	@TempDir
	private Path directory;

	@Test
	void whatIsWrittenIsReadBackEqual() {
		RunResults results = SampleResults.of("A title", RunResults.Status.FAILED,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 2));
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME), results);
		assertThat(ResultsFile.read(this.directory)).isEqualTo(results);
	}

	@Test
	void writingAgainReplacesTheFileAndLeavesNothingElse() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("First", RunResults.Status.RUNNING));
		ResultsFile.write(file, SampleResults.of("Second", RunResults.Status.COMPLETE));
		assertThat(ResultsFile.read(this.directory).title()).isEqualTo("Second");
		try (Stream<Path> files = Files.list(this.directory)) {
			assertThat(files).containsExactly(file);
		}
	}

	@Test
	void aFieldOfALaterVersionIsIgnored() throws Exception {
		Path file = this.directory.resolve(ResultsFile.NAME);
		ResultsFile.write(file, SampleResults.of("A title", RunResults.Status.COMPLETE));
		Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"added\": {\"later\": 1},"));
		assertThat(ResultsFile.read(this.directory).title()).isEqualTo("A title");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 12, 14 })
	void aSchemaVersionThatIsTooOldOrTooNewIsRefused(int version) throws Exception {
		Files.writeString(this.directory.resolve(ResultsFile.NAME), "{\"schemaVersion\": " + version + "}");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> ResultsFile.read(this.directory))
			.withMessageContaining("schemaVersion " + version + ", but this version of gateway-bench reads 13 only")
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
