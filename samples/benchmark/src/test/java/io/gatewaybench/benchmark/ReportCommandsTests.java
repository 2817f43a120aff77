package io.gatewaybench.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReportCommandsTests {

	private final BenchFixture bench = new BenchFixture();

	@TempDir
	private Path directory;

	@Test
	void aFailureIsOneLineWithoutStackTrace() {
		assertThat(this.bench.run("report", this.directory.resolve("nothing").toString()))
			.isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: There is no "));
	}

	@Test
	void verboseShowsTheStackTrace() {
		assertThat(this.bench.run("report", "--verbose", this.directory.resolve("nothing").toString()))
			.isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).contains("\tat ");
	}

	@Test
	void aReportIsRenderedAgain() {
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME), BenchFixture.results(Status.COMPLETE, true));
		assertThat(this.bench.run("report", this.directory.toString())).isZero();
		assertThat(this.directory.resolve("report.html")).exists();
		assertThat(this.directory.resolve("report.md")).exists();
		assertThat(this.bench.out()).contains("ANSWER", "WebFlux", "report.html");
	}

	@Test
	void aReportThatIsRenderedAgainHasItsThresholds() {
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME),
				BenchFixture.answered(BenchFixture.results(Status.COMPLETE, true), Outcome.FAILED));
		assertThat(this.bench.run("report", this.directory.toString())).isZero();
		assertThat(this.bench.out()).contains("fail-if webflux.cpu > 1ms, c16: failed.");
		assertThat(this.directory.resolve("thresholds.xml")).content().contains("<failure ");
	}

	@Test
	void whatIsNoRunIsNamedWithWhatToDo() throws Exception {
		String good = write("good", SampleResults.good("webflux-c16", "WebFlux", 1)).toString();
		Path broken = Files.createDirectory(this.directory.resolve("broken"));
		assertThat(this.bench.run("calibrate", good, broken.toString())).isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).contains("There is no " + broken.resolve(ResultsFile.NAME),
				"Name the directory of a run");
		Path file = broken.resolve(ResultsFile.NAME);
		String whole = Files.readString(Path.of(good, ResultsFile.NAME));
		Files.writeString(file, whole.substring(0, whole.length() / 2));
		assertThat(this.bench.run("calibrate", broken.toString(), good)).isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).contains(file + " is not the result of a run, or not all of it. Copy it again");
		Files.writeString(file, whole.replaceFirst("\"schemaVersion\" : \\d+", "\"schemaVersion\" : 8"));
		assertThat(this.bench.run("calibrate", good, file.toString())).isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).contains(file + " has schemaVersion 8", "Use the version that wrote it")
			.doesNotContain("\tat ");
	}

	private Path write(String name, ScenarioResult... scenarios) {
		Path run = this.directory.resolve(name);
		assertThat(run.toFile().mkdir()).isTrue();
		ResultsFile.write(run.resolve(ResultsFile.NAME), SampleResults.of(name, Status.COMPLETE, scenarios));
		return run;
	}

}
