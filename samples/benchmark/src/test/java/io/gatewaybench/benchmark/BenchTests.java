package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import io.gatewaybench.benchmark.faults.Fault;
import io.gatewaybench.benchmark.faults.FaultRequest;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

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
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"run nothing|There is no suite 'nothing'; choose one of: gateway",
			"run all --only webflux|--only is for one suite, and not for all; leave it out",
			"run --only nothing|--only nothing matches no scenario of suite gateway; choose from: direct-c16",
			"run --duration 10ms|--duration 10ms is too short", "run --warmup 10ms|--warmup 10ms is too short",
			"run --repeat 0|--blocks 0 is not possible", "run --heap 2x|'2x' is not a heap size",
			"run --heap 1m|'1m' is too small", "run --full --duration 30s|mutually exclusive",
			"run --quiet --json|--quiet, --json are mutually exclusive",
			"open --port 70000|--port 70000 is not possible; use 1 to 65535",
			"run --engine wrk --rate 100|--engine wrk sends closed loops only", "run --engine ab|--engine",
			"run --design duets --only webflux-c16|--design duets needs a variant and the one it is compared with",
			"run --profile perf|Invalid value for option '--profile': expected one of [JFR]",
			"run --frobnicate|--frobnicate", "compare|Missing required parameters: 'A', 'B'",
			"history|Missing required parameter: 'run'",
			"new nothing|There is no example 'nothing'; choose one of: gateway-comparison",
			"run --connections 0|--connections 0 is not possible",
			"run overhead --starts 0|--starts 0 is not possible; use 1 or more",
			"run --starts 2|--starts is for gateways that stay",
			"selftest --only 99|There is no check 99; choose 1 to 12",
			"faults --only kil|There is no fault 'kil'; choose from: kill, restart, freeze, refuse, reset, error, slow, closing, aborted-uploads",
			"faults --flavour netty|There is no gateway 'netty'; choose from: webflux, webmvc-vt, webmvc",
			"faults --length 10ms|--before, --length and --after take a second at least",
			"faults --rate 0|--rate 0.0 is not possible", "\"\"|Missing command" })
	void wrongUsageIsExplainedAndHasItsExitCode(String line, String message) {
		assertThat(run(line.isBlank() ? new String[0] : line.strip().split(" "))).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains(message).doesNotContain("\tat ");
	}

	@Test
	void theListNamesEverySuiteScenarioAndSource() {
		assertThat(run("list")).isZero();
		Suites.all().forEach((suite) -> {
			assertThat(this.out.toString()).contains(suite.name() + ": ",
					(suite.study() != null) ? suite.study().source() : suite.title());
			suite.scenarios()
				.forEach((scenario) -> assertThat(this.out.toString()).contains("  " + scenario.id() + " "));
		});
	}

	@Test
	void anExampleIsASuiteThatCanBeRun() throws Exception {
		assertThat(run("new")).isZero();
		Path mine = Files.writeString(this.directory.resolve("mine.yml"), this.out.toString());
		assertThat(ids("run", mine.toString())).containsExactlyInAnyOrder("direct-c32", "webflux-c32", "webmvc-vt-c32",
				"nginx-c32");
	}

	@Test
	void iterationsDecideWhatCanBeDoneWithALoad() throws Exception {
		assertThat(run("new")).isZero();
		String mine = Files
			.writeString(this.directory.resolve("mine.yml"),
					this.out.toString().replace("users: 32", "users: 32\n    iterations: 50"))
			.toString();
		assertThat(ids("run", mine, "--only", "webflux")).containsExactlyInAnyOrder("direct-c32x50", "webflux-c32x50");
		assertThat(ids("run", mine, "--only", "webflux", "--connections", "8"))
			.containsExactlyInAnyOrder("direct-c8x50", "webflux-c8x50");
		assertThat(ids("run", mine, "--only", "webflux", "--rate", "100")).containsExactlyInAnyOrder("direct-r100",
				"webflux-r100");
		assertThat(ids("run", mine, "--only", "webflux", "--iterations", "7")).containsExactlyInAnyOrder("direct-c32x7",
				"webflux-c32x7");
		assertThat(run("run", mine, "--iterations", "0")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("--iterations 0 is not possible");
		assertThat(run("run", "burst", "--iterations", "5")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("--iterations is for closed loops");
		assertThat(run("run", mine, "--design", "duets")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("--design duets is for loads that end by time");
		assertThat(run("run", mine, "--engine", "wrk")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString())
			.contains("--engine wrk sends closed loops only, without think time and iterations");
	}

	@Test
	void aMistakeInASuiteIsWrongUsage() throws Exception {
		Path mine = Files.writeString(this.directory.resolve("mine.yml"), "title: Mine\nvariant: {}\n");
		assertThat(run("run", mine.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: ")
				.contains("mine.yml:2: variant: there is no such key here; choose one of "));
		assertThat(run("run", this.directory.resolve("absent.yml").toString())).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("absent.yml is no file that is there");
	}

	@Test
	void aFailureIsOneLineWithoutStackTrace() {
		assertThat(run("report", this.directory.resolve("nothing").toString())).isEqualTo(Bench.FAILED);
		assertThat(this.err.toString().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: There is no "));
	}

	@Test
	void aRunThatCanNotBeginIsOneEventForProgramsAndOneLineForPeople() {
		assertThat(run("run", "--json", "--out", this.directory.resolve("new").toString())).isEqualTo(Bench.FAILED);
		assertThat(this.out.toString().lines()).singleElement()
			.satisfies((line) -> assertThat(line)
				.startsWith("{\"event\":\"run-ended\",\"suite\":\"gateway\",\"exitCode\":1")
				.contains("Missing: "));
		assertThat(this.err.toString().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: Missing: "));
	}

	@Test
	void quietIsQuietWhenNothingCanBeRun() {
		assertThat(run("run", "all", "--quiet", "--out", this.directory.toString())).isEqualTo(Bench.FAILED);
		assertThat(this.out.toString().lines()).containsExactly("All studies: " + this.directory.resolve("index.html"));
		assertThat(this.err.toString()).contains("bench: gateway: Missing: ");
	}

	@Test
	void whatHasNoReportCanNotBeOpened() {
		assertThat(run("open", this.directory.toString())).isEqualTo(Bench.FAILED);
		assertThat(this.err.toString()).isEqualTo("bench: There is no report in " + this.directory
				+ ". Name the directory of a run, such as bench-results/latest, or write its report with ./bench report."
				+ System.lineSeparator());
	}

	@Test
	void aReportIsServedUntilItIsInterrupted() throws Exception {
		Files.writeString(this.directory.resolve("report.html"), "the report");
		FutureTask<Integer> command = new FutureTask<>(() -> run("open", this.directory.toString()));
		Thread thread = Thread.ofPlatform().start(command);
		await().until(() -> this.out.toString().contains("until Ctrl-C"));
		URI address = URI.create(this.out.toString().replaceAll("(?s).* is at (\\S+) until.*", "$1"));
		try (HttpClient client = HttpClient.newHttpClient()) {
			assertThat(client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body())
				.isEqualTo("the report");
		}
		thread.interrupt();
		assertThat(command.get()).isEqualTo(Bench.INTERRUPTED);
		assertThatExceptionOfType(ConnectException.class)
			.isThrownBy(() -> new Socket(address.getHost(), address.getPort()).close());
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
		assertThat(this.out.toString()).contains("run", "list", "faults", "report", "open", "selftest")
			.doesNotContain("generate");
	}

	@Test
	void theDefaultIsAsManyBlocksAsFitInTenMinutes() {
		RunRequest request = request("run");
		assertThat(request.plan().timeLimit()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request.plan().blocks()).hasSize(5);
		assertThat(request.plan().measurements()).isEqualTo(5 * 8);
		assertThat(request.plan().estimate(request.plan().blocks().getFirst())).isLessThan(Duration.ofMinutes(10));
		assertThat(request.plan().estimate()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request.heap().text()).isEqualTo("2g");
		assertThat(request("run", "--blocks", "2").plan().timeLimit()).isNull();
	}

	@Test
	void aBlockThatTakesLongerThanTheTimeLimitIsAnnouncedWithItsTime() {
		assertThat(request("run", "--duration", "5m").plan().estimate()).isGreaterThan(Duration.ofMinutes(40));
	}

	@Test
	void fullMeansTenBlocksOfThreeHundredSecondsAndALongWarmUp() {
		RunResults.Settings settings = request("run", "--full").plan().settings();
		assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(300));
		assertThat(settings.blocks()).isEqualTo(10);
		assertThat(settings.warmup())
			.isEqualTo(new RunResults.Warmup(Duration.ofSeconds(15), Duration.ofSeconds(15), 15, 0.03));
		assertThat(request("run", "--full").plan().timeLimit()).isNull();
		assertThat(request("run", "--full", "--blocks", "2").plan().settings().blocks()).isEqualTo(2);
	}

	@Test
	void warmUpIsCutIntoCyclesThatCanTellWhetherTheGatewayIsSteady() {
		assertThat(request("run", "--warmup", "3s").plan().settings().warmup().cycles()).isEqualTo(3);
		assertThat(request("run", "--warmup", "0s").plan().settings().warmup().cycles()).isZero();
		assertThat(request("run", "--warmup", "2m").plan().settings().warmup())
			.isEqualTo(new RunResults.Warmup(Duration.ofSeconds(5), Duration.ofSeconds(1), 24, 0.15));
	}

	@Test
	void onlyChoosesBySubstringGlobAndListAndKeepsTheControls() {
		assertThat(ids("run", "--only", "c16")).containsExactlyInAnyOrder("direct-c16", "webflux-c16", "webmvc-vt-c16",
				"webmvc-c16");
		assertThat(ids("run", "--only", "webmvc-c*")).containsExactlyInAnyOrder("direct-c16", "direct-c100",
				"webmvc-c16", "webmvc-c100");
		assertThat(ids("run", "--only", "webflux-c16,webmvc-vt-c100")).containsExactlyInAnyOrder("direct-c16",
				"direct-c100", "webflux-c16", "webmvc-vt-c100");
		assertThat(ids("run", "--only", "webflux-c16", "--only", "*vt-c1?")).containsExactlyInAnyOrder("direct-c16",
				"webflux-c16", "webmvc-vt-c16");
	}

	@Test
	void profilesAreMadeForThoseWhoAskForThem() {
		assertThat(request("run").plan().profiles()).isEmpty();
		RunRequest profiled = request("run", "--only", "webflux,webmvc-c100", "--profile", "jfr");
		assertThat(profiled.plan().profiles()).extracting((session) -> session.scenarios().getFirst().id())
			.containsExactly("webflux-c100", "webmvc-c100");
	}

	@Test
	void aaComparesTheFirstVariantWithItself() {
		assertThat(ids("run", "--aa", "--only", "c16")).containsExactlyInAnyOrder("direct-c16", "webflux-c16",
				"webflux-again-c16");
		assertThat(run("run", "--aa", "--only", "direct-c16")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("--aa needs a gateway");
	}

	@Test
	void aRateMakesEveryRowAnOpenOne() {
		assertThat(ids("run", "--rate", "500")).containsExactlyInAnyOrder("direct-r500", "webflux-r500",
				"webmvc-vt-r500", "webmvc-r500");
		assertThat(request("run", "--rate", "500", "--arrivals", "poisson").plan().sessions())
			.allSatisfy((session) -> assertThat(session.scenarios()).singleElement()
				.satisfies((scenario) -> assertThat(scenario.load().arrivals()).isEqualTo(Arrivals.POISSON)));
		assertThat(run("run", "--rate", "0")).isEqualTo(Bench.USAGE);
		assertThat(run("run", "--rate", "5", "--arrivals", "stepped")).isEqualTo(Bench.USAGE);
	}

	@Test
	void connectionsMakeEveryRowAClosedLoopOfThatWidth() {
		assertThat(ids("run", "--connections", "1000")).containsExactlyInAnyOrder("direct-c1000", "webflux-c1000",
				"webmvc-vt-c1000", "webmvc-c1000");
		assertThat(request("run", "--connections", "1000").plan().sessions())
			.allSatisfy((session) -> assertThat(session.scenarios()).singleElement()
				.satisfies((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(1_000)));
	}

	@Test
	void gatewaysThatStayAreStartedThreeTimesUnlessToldOtherwise() {
		assertThat(request("run", "overhead").plan().settings().starts()).isEqualTo(3);
		assertThat(request("run", "overhead", "--blocks", "2").plan().settings().starts()).isEqualTo(2);
		assertThat(request("run", "overhead", "--starts", "1").plan().blocks())
			.allSatisfy((block) -> assertThat(block.start()).isOne());
		assertThat(request("run", "--blocks", "2").plan().blocks()).extracting(RunPlan.Block::start)
			.containsExactly(1, 2);
	}

	@Test
	void connectionsOfTheOpenModelAreTheMostRequestsInFlight() {
		assertThat(request("run", "--rate", "400", "--connections", "1000").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(1_000));
		assertThat(request("run", "--rate", "400").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(256));
	}

	@Test
	void aSeedDecidesTheOrderAndEveryBlockHasEveryVariant() {
		RunPlan first = request("run", "--seed", "7").plan();
		assertThat(first).isEqualTo(request("run", "--seed", "7").plan());
		assertThat(first).isNotEqualTo(request("run", "--seed", "8").plan());
		assertThat(first.blocks()).allSatisfy((block) -> {
			assertThat(block.sessions()).extracting((session) -> session.variant().id())
				.containsExactlyInAnyOrder("direct", "webflux", "webmvc-vt", "webmvc");
			assertThat(block.sessions()).allSatisfy((session) -> assertThat(session.scenarios()).hasSize(2));
		});
	}

	@Test
	void theExitCodeTellsHowTheRunEnded() {
		assertThat(RunCommand.exitCode(results(Status.COMPLETE, true))).isZero();
		assertThat(RunCommand.exitCode(results(Status.COMPLETE, false))).isEqualTo(3);
		assertThat(RunCommand.exitCode(results(Status.FAILED, true))).isEqualTo(1);
		assertThat(RunCommand.exitCode(results(Status.INTERRUPTED, true))).isEqualTo(130);
	}

	@Test
	void thresholdsHaveExitCodesOfTheirOwn() {
		RunResults valid = results(Status.COMPLETE, true);
		RunResults invalid = results(Status.COMPLETE, false);
		assertThat(RunCommand.exitCode(answered(valid, Outcome.PASSED))).isZero();
		assertThat(RunCommand.exitCode(answered(invalid, Outcome.PASSED))).isEqualTo(3);
		assertThat(RunCommand.exitCode(answered(invalid, Outcome.PASSED, Outcome.INCONCLUSIVE))).isEqualTo(5);
		assertThat(RunCommand.exitCode(answered(invalid, Outcome.INCONCLUSIVE, Outcome.FAILED))).isEqualTo(4);
		assertThat(RunCommand.exitCode(answered(results(Status.FAILED, true), Outcome.FAILED))).isEqualTo(1);
		assertThat(RunCommand.exitCode(answered(results(Status.INTERRUPTED, true), Outcome.FAILED))).isEqualTo(130);
	}

	private static RunResults answered(RunResults run, Outcome... outcomes) {
		return run.withThresholds(Stream.of(outcomes)
			.map((outcome) -> new ThresholdResult("webflux.cpu > 1ms", "c16", outcome, null, null, "", "So it is."))
			.toList());
	}

	@Test
	void aConditionThatCannotBeReadIsWrongUsageBeforeAnythingStarts() throws Exception {
		assertThat(run("run", "--fail-if", "webflux.cpu > 1ms", "--fail-if", "webmvc.cpuu > 1.10 * webflux.cpu"))
			.isEqualTo(Bench.USAGE);
		assertThat(this.err.toString().lines()).startsWith("bench: --fail-if is wrong at character 8:",
				"  webmvc.cpuu > 1.10 * webflux.cpu", "         ^");
		assertThat(run("run", "all", "--fail-if", "webflux.cpu > 1ms")).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("--fail-if is for one suite, and not for all");
		assertThat(run("new")).isZero();
		Path mine = Files.writeString(this.directory.resolve("mine.yml"),
				this.out + "fail-if:\n  - webflux.cpu > 1ms\n  - webflux.cpu > 5MiB\n");
		assertThat(run("run", mine.toString())).isEqualTo(Bench.USAGE);
		int line = Files.readAllLines(mine).size();
		assertThat(this.err.toString()).contains(
				"bench: " + mine + ":" + line + ": fail-if.1 is wrong at character 13:", "'webflux.cpu' is a time");
	}

	@Test
	void aReportThatIsRenderedAgainHasItsThresholds() {
		ResultsFile.write(this.directory.resolve(ResultsFile.NAME),
				answered(results(Status.COMPLETE, true), Outcome.FAILED));
		assertThat(run("report", this.directory.toString())).isZero();
		assertThat(this.out.toString()).contains("Thresholds", "webflux.cpu > 1ms", "failed");
		assertThat(this.directory.resolve("thresholds.xml")).content().contains("<failure ");
	}

	@Test
	void everyFaultHappensToWebFluxAndToWebMvcOnVirtualThreadsUnlessToldOtherwise() {
		FaultRequest request = faults("faults");
		assertThat(request.gateways()).extracting(Variant::id).containsExactly("webflux", "webmvc-vt");
		assertThat(request.faults()).containsExactly(Fault.values());
		assertThat(request.settings().rate()).isEqualTo(1000);
		assertThat(request.heap().text()).isEqualTo("512m");
		assertThat(request.estimate()).isLessThan(Duration.ofMinutes(20));
		assertThat(request.settings().fault()).isEqualTo(Duration.ofSeconds(5));
		FaultRequest chosen = faults("faults", "--flavour", "webmvc", "--only", "slow,kill,aborted-uploads", "--rate",
				"300", "--before", "1s", "--length", "3s", "--after", "4s");
		assertThat(chosen.gateways()).extracting(Variant::id).containsExactly("webmvc");
		assertThat(chosen.faults()).containsExactly(Fault.SLOW, Fault.KILL, Fault.ABORTED_UPLOADS);
		assertThat(chosen.settings().after()).isEqualTo(Duration.ofSeconds(4));
		assertThat(chosen.settings().rate()).isEqualTo(300);
	}

	@Test
	void twoRunsAreComparedByTheNamesOfTheirDirectoriesOrFiles() {
		Path first = write("first", SampleResults.good("webflux-c16", "WebFlux", 1));
		Path second = write("second", SampleResults.good("webflux-c16", "WebFlux", 1));
		assertThat(run("compare", first.toString(), second.resolve(ResultsFile.NAME).toString())).isZero();
		assertThat(this.out.toString()).contains("A is " + first + ":", "B is " + second + "/results.json:",
				"| WebFlux, 16 conn. | CPU per request ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "compare", "history" })
	void whatIsNoRunIsNamedWithWhatToDo(String command) throws Exception {
		String good = write("good", SampleResults.good("webflux-c16", "WebFlux", 1)).toString();
		Path broken = Files.createDirectory(this.directory.resolve("broken"));
		assertThat(run(command, good, broken.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("There is no " + broken.resolve(ResultsFile.NAME),
				"Name the directory of a run");
		Path file = broken.resolve(ResultsFile.NAME);
		String whole = Files.readString(Path.of(good, ResultsFile.NAME));
		Files.writeString(file, whole.substring(0, whole.length() / 2));
		assertThat(run(command, broken.toString(), good)).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains(file + " is not the result of a run, or not all of it. Copy it again");
		Files.writeString(file, whole.replaceFirst("\"schemaVersion\" : \\d+", "\"schemaVersion\" : 8"));
		assertThat(run(command, good, file.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains(file + " has schemaVersion 8", "Use the version that wrote it")
			.doesNotContain("\tat ");
	}

	@Test
	void runsWithoutACommonScenarioAreNamedWithTheirScenarios() {
		String flux = write("flux", SampleResults.good("webflux-c16", "WebFlux", 1)).toString();
		String mvc = write("mvc", SampleResults.good("webmvc-c16", "WebMVC", 1)).toString();
		assertThat(run("compare", flux, mvc)).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains(
				"Nothing to compare: " + flux + " has webflux-c16, and " + mvc + " has webmvc-c16. Name two runs");
		assertThat(run("compare", flux, write("empty").toString())).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("empty has no measurement");
	}

	@Test
	void theHistoryHasTheMetricAndTheScenariosThatWereAskedFor() {
		String one = write("one", SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", "WebMVC", 1))
			.toString();
		assertThat(run("history", one, one)).isZero();
		assertThat(this.out.toString()).startsWith("# CPU per request\n").contains("| webflux-c16 | webmvc-c16 |");
		assertThat(run("history", "--metric", "overhead-p99", "--only", "*mvc*,dir", one)).isZero();
		assertThat(this.out.toString()).contains("# P99 of the overhead", "| direct-c16 | webmvc-c16 |");
		assertThat(run("history", "--metric", "speed", one)).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString()).contains("There is no metric 'speed'; choose one of: cpu, allocation");
		assertThat(run("history", "--only", "nothing", one)).isEqualTo(Bench.USAGE);
		assertThat(this.err.toString())
			.contains("--only nothing matches no scenario of these runs; choose from: direct");
	}

	private Path write(String name, ScenarioResult... scenarios) {
		Path run = this.directory.resolve(name);
		assertThat(run.toFile().mkdir()).isTrue();
		ResultsFile.write(run.resolve(ResultsFile.NAME), SampleResults.of(name, Status.COMPLETE, 1, scenarios));
		return run;
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
		return request(args).scenarios().stream().map((scenario) -> scenario.id()).toList();
	}

	private RunRequest request(String... args) {
		CommandLine.ParseResult parsed = Bench.commandLine().parseArgs(args);
		return ((RunCommand) parsed.subcommand().commandSpec().userObject()).request();
	}

	private FaultRequest faults(String... args) {
		CommandLine.ParseResult parsed = Bench.commandLine().parseArgs(args);
		return ((FaultsCommand) parsed.subcommand().commandSpec().userObject()).request();
	}

	private int run(String... args) {
		return Bench.commandLine().setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err)).execute(args);
	}

}
