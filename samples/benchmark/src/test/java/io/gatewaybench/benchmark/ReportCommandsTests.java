package io.gatewaybench.benchmark;

import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

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
	void whatHasNoReportCanNotBeOpened() {
		assertThat(this.bench.run("open", this.directory.toString())).isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).isEqualTo("bench: There is no report in " + this.directory
				+ ". Name the directory of a run, such as bench-results/latest, or write its report with ./bench report."
				+ System.lineSeparator());
	}

	@Test
	void aReportIsServedUntilItIsInterrupted() throws Exception {
		Files.writeString(this.directory.resolve("report.html"), "the report");
		FutureTask<Integer> command = new FutureTask<>(() -> this.bench.run("open", this.directory.toString()));
		Thread thread = Thread.ofPlatform().start(command);
		await().until(() -> this.bench.out().contains("until Ctrl-C"));
		URI address = URI.create(this.bench.out().replaceAll("(?s).* is at (\\S+) until.*", "$1"));
		try (HttpClient client = HttpClient.newHttpClient()) {
			assertThat(client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body())
				.isEqualTo("the report");
		}
		thread.interrupt();
		assertThat(command.get()).isEqualTo(Bench.INTERRUPTED);
		// The server of another test may get the free port for a while
		await().untilAsserted(() -> assertThatExceptionOfType(ConnectException.class)
			.isThrownBy(() -> new Socket(address.getHost(), address.getPort()).close()));
	}

	@Test
	void twoRunsAreComparedByTheNamesOfTheirDirectoriesOrFiles() {
		Path first = write("first", SampleResults.good("webflux-c16", "WebFlux", 1));
		Path second = write("second", SampleResults.good("webflux-c16", "WebFlux", 1));
		assertThat(this.bench.run("compare", first.toString(), second.resolve(ResultsFile.NAME).toString())).isZero();
		assertThat(this.bench.out()).contains("A is " + first + ":", "B is " + second + "/results.json:",
				"| WebFlux, 16 conn. | CPU per request ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "compare", "history" })
	void whatIsNoRunIsNamedWithWhatToDo(String command) throws Exception {
		String good = write("good", SampleResults.good("webflux-c16", "WebFlux", 1)).toString();
		Path broken = Files.createDirectory(this.directory.resolve("broken"));
		assertThat(this.bench.run(command, good, broken.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("There is no " + broken.resolve(ResultsFile.NAME),
				"Name the directory of a run");
		Path file = broken.resolve(ResultsFile.NAME);
		String whole = Files.readString(Path.of(good, ResultsFile.NAME));
		Files.writeString(file, whole.substring(0, whole.length() / 2));
		assertThat(this.bench.run(command, broken.toString(), good)).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(file + " is not the result of a run, or not all of it. Copy it again");
		Files.writeString(file, whole.replaceFirst("\"schemaVersion\" : \\d+", "\"schemaVersion\" : 8"));
		assertThat(this.bench.run(command, good, file.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(file + " has schemaVersion 8", "Use the version that wrote it")
			.doesNotContain("\tat ");
	}

	@Test
	void runsWithoutACommonScenarioAreNamedWithTheirScenarios() {
		String flux = write("flux", SampleResults.good("webflux-c16", "WebFlux", 1)).toString();
		String mvc = write("mvc", SampleResults.good("webmvc-c16", "WebMVC", 1)).toString();
		assertThat(this.bench.run("compare", flux, mvc)).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(
				"Nothing to compare: " + flux + " has webflux-c16, and " + mvc + " has webmvc-c16. Name two runs");
		assertThat(this.bench.run("compare", flux, write("empty").toString())).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("empty has no measurement");
	}

	@Test
	void theHistoryHasTheMetricAndTheScenariosThatWereAskedFor() {
		String one = write("one", SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", "WebMVC", 1))
			.toString();
		assertThat(this.bench.run("history", one, one)).isZero();
		assertThat(this.bench.out()).startsWith("# CPU per request\n").contains("| webflux-c16 | webmvc-c16 |");
		assertThat(this.bench.run("history", "--metric", "overhead-p99", "--only", "*mvc*,dir", one)).isZero();
		assertThat(this.bench.out()).contains("# P99 of the overhead", "| direct-c16 | webmvc-c16 |");
		assertThat(this.bench.run("history", "--metric", "speed", one)).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("There is no metric 'speed'; choose one of: cpu, allocation");
		assertThat(this.bench.run("history", "--only", "nothing", one)).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--only nothing matches no scenario of these runs; choose from: direct");
	}

	private Path write(String name, ScenarioResult... scenarios) {
		Path run = this.directory.resolve(name);
		assertThat(run.toFile().mkdir()).isTrue();
		ResultsFile.write(run.resolve(ResultsFile.NAME), SampleResults.of(name, Status.COMPLETE, scenarios));
		return run;
	}

}
