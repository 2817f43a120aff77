package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.suite.Suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BenchTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "30s, 30000", "2m, 120000", "1h, 3600000", "500ms, 500", "PT30S, 30000", "pt1m30s, 90000", "0s, 0" })
	void durationsAreReadInBothForms(String text, long millis) {
		assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
	}

	@ParameterizedTest
	@ValueSource(strings = { "30", "30x", "-5s", "", "1.5s", "99999999999s" })
	void whatIsNoDurationIsRefusedWithAnExample(String text) {
		assertThat(run("run", "--duration", text)).isEqualTo(2);
		assertThat(this.err.toString()).contains("'--duration'", "'" + text + "' is not a duration", "30s");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "run nothing|There is no suite 'nothing'; choose one of: gateway",
					"run --only nothing|--only nothing matches no scenario of suite gateway; choose from: webflux-c16",
					"run --duration 10ms|--duration 10ms is too short", "run --warmup 10ms|--warmup 10ms is too short",
					"run --repeat 0|--repeat 0 is not possible", "run --heap 2x|'2x' is not a heap size",
					"run --heap 1m|'1m' is too small", "run --full --duration 30s|mutually exclusive",
					"run --frobnicate|--frobnicate", "\"\"|Missing command" })
	void wrongUsageIsExplainedAndHasItsExitCode(String line, String message) {
		assertThat(run(line.isBlank() ? new String[0] : line.strip().split(" "))).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains(message).doesNotContain("\tat ");
	}

	@Test
	void theListNamesEverySuiteScenarioAndSource() {
		assertThat(run("list")).isZero();
		Suites.all().forEach((suite) -> {
			assertThat(this.out.toString()).contains(suite.name() + ": ", suite.source());
			suite.scenarios()
				.forEach((scenario) -> assertThat(this.out.toString()).contains("  " + scenario.id() + " "));
		});
	}

	@Test
	void aFailureIsOneLineWithoutStackTrace() {
		assertThat(run("report", this.directory.resolve("nothing").toString())).isEqualTo(Bench.FAILED);
		assertThat(this.err.toString().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: There is no "));
	}

	@Test
	void verboseShowsTheStackTrace() {
		assertThat(run("report", "--verbose", this.directory.resolve("nothing").toString())).isEqualTo(Bench.FAILED);
		assertThat(this.err.toString()).contains("\tat ");
	}

	@Test
	void aReportIsRenderedAgain() {
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME), results(Status.COMPLETE, true));
		assertThat(run("report", this.directory.toString())).isZero();
		assertThat(this.directory.resolve("report.html")).exists();
		assertThat(this.directory.resolve("report.md")).exists();
		assertThat(this.out.toString()).contains("WebFlux, 16 conn.", "report.html");
	}

	@Test
	void theGeneratorIsNotAdvertised() {
		assertThat(run("--help")).isZero();
		assertThat(this.out.toString()).contains("run", "list", "report").doesNotContain("generate");
	}

	@Test
	void theDefaultsAreShortAndWithinEightMinutes() {
		RunRequest request = request("run");
		assertThat(request.plan().measurements()).hasSize(6);
		assertThat(request.plan().estimate()).isLessThan(Duration.ofMinutes(8));
		assertThat(request.heap().text()).isEqualTo("2g");
	}

	@Test
	void fullMeansThreeHundredSeconds() {
		assertThat(request("run", "--full").plan().settings().duration()).isEqualTo(Duration.ofSeconds(300));
	}

	@Test
	void onlyChoosesBySubstringGlobAndList() {
		assertThat(ids("run", "--only", "c16")).containsExactlyInAnyOrder("webflux-c16", "webmvc-vt-c16", "webmvc-c16");
		assertThat(ids("run", "--only", "webmvc-c*")).containsExactlyInAnyOrder("webmvc-c16", "webmvc-c100");
		assertThat(ids("run", "--only", "webflux-c16,webmvc-vt-c100")).containsExactlyInAnyOrder("webflux-c16",
				"webmvc-vt-c100");
		assertThat(ids("run", "--only", "webflux-c16", "--only", "*vt-c1?")).containsExactlyInAnyOrder("webflux-c16",
				"webmvc-vt-c16");
	}

	@Test
	void aSeedDecidesTheOrderAndEveryBlockHasEveryScenario() {
		List<RunPlan.Measurement> first = request("run", "--seed", "7", "--repeat", "3").plan().measurements();
		assertThat(first).isEqualTo(request("run", "--seed", "7", "--repeat", "3").plan().measurements());
		assertThat(first).isNotEqualTo(request("run", "--seed", "8", "--repeat", "3").plan().measurements());
		for (int block = 0; block < 3; block++) {
			assertThat(first.subList(6 * block, 6 * block + 6)).extracting((measurement) -> measurement.scenario().id())
				.containsExactlyInAnyOrderElementsOf(
						Suites.all().getFirst().scenarios().stream().map((scenario) -> scenario.id()).toList());
		}
	}

	@Test
	void theExitCodeTellsHowTheRunEnded() {
		assertThat(RunCommand.exitCode(results(Status.COMPLETE, true))).isZero();
		assertThat(RunCommand.exitCode(results(Status.COMPLETE, false))).isEqualTo(3);
		assertThat(RunCommand.exitCode(results(Status.FAILED, true))).isEqualTo(1);
		assertThat(RunCommand.exitCode(results(Status.INTERRUPTED, true))).isEqualTo(130);
	}

	@Test
	void anUnreadableOptionValueDoesNotReachTheRunner() {
		assertThatExceptionOfType(CommandLine.TypeConversionException.class)
			.isThrownBy(() -> new HeapConverter().convert("-1g"));
	}

	private static RunResults results(Status status, boolean valid) {
		return SampleResults.of("A title", status, 1, valid ? SampleResults.good("webflux-c16", "WebFlux", 1)
				: SampleResults.lossy("webflux-c16", "WebFlux", 1));
	}

	private List<String> ids(String... args) {
		return request(args).plan().measurements().stream().map((measurement) -> measurement.scenario().id()).toList();
	}

	private RunRequest request(String... args) {
		CommandLine.ParseResult parsed = Bench.commandLine().parseArgs(args);
		return ((RunCommand) parsed.subcommand().commandSpec().userObject()).request();
	}

	private int run(String... args) {
		return Bench.commandLine().setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err)).execute(args);
	}

}
