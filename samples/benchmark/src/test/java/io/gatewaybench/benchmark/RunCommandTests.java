package io.gatewaybench.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.suite.Scenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RunCommandTests {

	private final BenchFixture bench = new BenchFixture();

	@TempDir
	private Path directory;

	@Test
	void anExampleIsASuiteThatCanBeRun() throws Exception {
		assertThat(this.bench.run("new")).isZero();
		Path mine = Files.writeString(this.directory.resolve("mine.yml"), this.bench.out());
		assertThat(ids("run", mine.toString())).contains("direct-c32", "webflux-c32", "webmvc-vt-c32");
	}

	@Test
	void aProgramThatIsNotInstalledIsLeftOutUnlessItIsChosen() throws Exception {
		assertThat(this.bench.run("new")).isZero();
		String mine = Files
			.writeString(this.directory.resolve("mine.yml"),
					this.bench.out().replace("command: [nginx", "command: [no-such-program"))
			.toString();
		RunRequest request = BenchFixture.request("run", mine);
		assertThat(request.scenarios()).extracting((scenario) -> scenario.variant().id())
			.containsExactly("direct", "webflux", "webmvc-vt");
		assertThat(request.suite().choose()).containsExactly(
				"Left out: nginx, as there is no program 'no-such-program' on the PATH; install it to compare it.");
		assertThat(this.bench.run("run", mine, "--only", "nginx")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("This can't run: nginx, as there is no program 'no-such-program'");
	}

	@Test
	void iterationsDecideWhatCanBeDoneWithALoad() throws Exception {
		assertThat(this.bench.run("new")).isZero();
		String mine = Files
			.writeString(this.directory.resolve("mine.yml"),
					this.bench.out().replace("users: 32", "users: 32\n    iterations: 50"))
			.toString();
		assertThat(ids("run", mine, "--only", "webflux")).containsExactlyInAnyOrder("direct-c32x50", "webflux-c32x50");
		assertThat(ids("run", mine, "--only", "webflux", "--connections", "8"))
			.containsExactlyInAnyOrder("direct-c8x50", "webflux-c8x50");
		assertThat(ids("run", mine, "--only", "webflux", "--rate", "100")).containsExactlyInAnyOrder("direct-r100",
				"webflux-r100");
		assertThat(ids("run", mine, "--only", "webflux", "--iterations", "7")).containsExactlyInAnyOrder("direct-c32x7",
				"webflux-c32x7");
		assertThat(this.bench.run("run", mine, "--iterations", "0")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--iterations 0 is not possible");
		assertThat(this.bench.run("run", "burst", "--iterations", "5")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--iterations is for closed loops");
	}

	@Test
	void aMistakeInASuiteIsWrongUsage() throws Exception {
		Path mine = Files.writeString(this.directory.resolve("mine.yml"), "title: Mine\nvariant: {}\n");
		assertThat(this.bench.run("run", mine.toString())).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: ")
				.contains("mine.yml:2: variant: there is no such key here; choose one of "));
		assertThat(this.bench.run("run", this.directory.resolve("absent.yml").toString())).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("absent.yml is no file that is there");
	}

	@Test
	void quietIsQuietWhenNothingCanBeRun() {
		assertThat(this.bench.run("run", "all", "--quiet", "--out", this.directory.toString()))
			.isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.out().lines()).containsExactly("All studies: " + this.directory.resolve("index.md"));
		assertThat(this.bench.err()).contains("bench: gateway: Missing: ");
	}

	@Test
	void theDefaultTakesEightMinutesAndEndsAtFivePercent() {
		RunPlan plan = BenchFixture.request("run").plan();
		RunResults.Settings settings = plan.settings();
		assertThat(settings.time()).isEqualTo(Duration.ofMinutes(8));
		assertThat(settings.precision()).isEqualTo(0.05);
		assertThat(settings.starts()).isNull();
		assertThat(settings.rounds()).isNull();
		assertThat(settings.slice()).isEqualTo(Duration.ofSeconds(2));
		assertThat(settings.warmup()).isEqualTo(Duration.ofSeconds(240));
		assertThat(plan.question()).isEqualTo(new MainQuestion(Metric.CPU, "c100", 0.1));
		assertThat(plan.profile()).isFalse();
	}

	@Test
	void everythingOfARunCanBeChosen() {
		RunPlan plan = BenchFixture
			.request("run", "--time", "5m", "--precision", "2%", "--margin", "3%", "--starts", "4", "--rounds", "7",
					"--slice", "1s", "--warmup", "30s", "--heap", "64m", "--profile", "--seed", "9")
			.plan();
		RunResults.Settings settings = plan.settings();
		assertThat(settings.time()).isEqualTo(Duration.ofMinutes(5));
		assertThat(settings.precision()).isEqualTo(0.02);
		assertThat(plan.question().margin()).isEqualTo(0.03);
		assertThat(settings.starts()).isEqualTo(4);
		assertThat(settings.rounds()).isEqualTo(7);
		assertThat(settings.slice()).isEqualTo(Duration.ofSeconds(1));
		assertThat(settings.warmup()).isEqualTo(Duration.ofSeconds(30));
		assertThat(settings.heap()).isEqualTo("64m");
		assertThat(settings.seed()).isEqualTo(9);
		assertThat(plan.profile()).isTrue();
		// Who says how many starts there are waits as long as they take
		assertThat(BenchFixture.request("run", "--starts", "2").plan().settings().time()).isNull();
	}

	@Test
	void fullHasEverythingOfASuiteAndAnHour() {
		RunResults.Settings settings = BenchFixture.request("run", "--full").plan().settings();
		assertThat(settings.time()).isEqualTo(Duration.ofHours(1));
		assertThat(settings.precision()).isEqualTo(0.02);
		assertThat(ids("run", "overhead", "--full")).hasSizeGreaterThan(ids("run", "overhead").size());
	}

	@ParameterizedTest
	@CsvSource({ "--time, 29s, --time is too short; use 30s or more", "--slice, 499ms, --slice 499ms is too short",
			"--starts, 0, --starts 0 is not possible; use 1 to 1000", "--rounds, 1001, --rounds 1001 is not possible",
			"--precision, 0%, --precision", "--margin, much, --margin", "--design, turns, Unknown option",
			"--blocks, 3, Unknown option", "--duration, 5m, Unknown option" })
	void whatIsNotPossibleIsWrongUsage(String option, String value, String message) {
		assertThat(this.bench.run("run", option, value)).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(message);
	}

	@Test
	void theMainQuestionIsThatOfTheSuiteUnderALoadThatWasChosen() {
		assertThat(BenchFixture.request("run", "--only", "c16").plan().question().load()).isEqualTo("c16");
		assertThat(BenchFixture.request("run", "--rate", "500").plan().question())
			.isEqualTo(new MainQuestion(Metric.CPU, "r500", 0.1));
	}

	@Test
	void ofProcessesThatNobodyCanLookAtThroughputOrLatencyIsAsked() throws Exception {
		String suite = "title: Mine\nvariants:\n  a: {url: 'http://10.0.0.7:80'}\n  b: {url: 'http://10.0.0.8:80'}\n"
				+ "requests: {a: {path: /a}}\nloads: [{users: 4}]\n";
		Path file = Files.writeString(this.directory.resolve("mine.yml"), suite);
		assertThat(BenchFixture.request("run", file.toString()).plan().question().metric())
			.isEqualTo(Metric.THROUGHPUT);
		assertThat(BenchFixture.request("run", file.toString(), "--rate", "9").plan().question().metric())
			.isEqualTo(Metric.SLO_P99);
	}

	@Test
	void theExitCodeTellsHowTheRunEnded() {
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.COMPLETE, true))).isZero();
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.COMPLETE, false))).isEqualTo(1);
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.FAILED, true))).isEqualTo(3);
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.INTERRUPTED, true))).isEqualTo(130);
		assertThat(RunCommand.exitCode(SampleResults.of("Nothing", Status.COMPLETE))).isEqualTo(3);
		RunResults one = SampleResults.of("One", Status.COMPLETE, SampleResults.direct(1),
				SampleResults.good("webflux-c16", "WebFlux", 1));
		assertThat(RunCommand.exitCode(one)).as("it was to be compared").isEqualTo(3);
		assertThat(RunCommand.exitCode(SampleResults.with(one, "planned", List.of("webflux-c16"))))
			.as("there was nothing to compare it with")
			.isZero();
	}

	@Test
	void figuresOfAColdGatewayAreNoSureAnswer() {
		RunResults good = BenchFixture.results(Status.COMPLETE, true);
		assertThat(RunCommand.exitCode(withCurve(good, false, true))).isEqualTo(3);
		assertThat(RunCommand.exitCode(withCurve(good, false, false))).as("it was left out").isZero();
		assertThat(RunCommand.exitCode(withCurve(good, null, true))).as("nobody wanted it warm").isZero();
	}

	private static RunResults withCurve(RunResults run, @Nullable Boolean steady, boolean measured) {
		return run.with(List.of(new WarmupCurve("WebMVC", 2, List.of(), steady, measured)), List.of(), List.of(),
				List.of());
	}

	@Test
	void thresholdsHaveExitCodesOfTheirOwn() {
		RunResults good = BenchFixture.results(Status.COMPLETE, true);
		RunResults lossy = BenchFixture.results(Status.COMPLETE, false);
		assertThat(RunCommand.exitCode(BenchFixture.answered(good, Outcome.PASSED))).isZero();
		assertThat(RunCommand.exitCode(BenchFixture.answered(good, Outcome.PASSED, Outcome.INCONCLUSIVE))).isEqualTo(4);
		assertThat(RunCommand.exitCode(BenchFixture.answered(good, Outcome.INCONCLUSIVE, Outcome.FAILED))).isEqualTo(1);
		assertThat(RunCommand.exitCode(BenchFixture.answered(lossy, Outcome.PASSED))).isEqualTo(1);
		assertThat(RunCommand
			.exitCode(BenchFixture.answered(BenchFixture.results(Status.FAILED, true), Outcome.INCONCLUSIVE)))
			.isEqualTo(3);
		assertThat(RunCommand
			.exitCode(BenchFixture.answered(BenchFixture.results(Status.INTERRUPTED, true), Outcome.FAILED)))
			.isEqualTo(130);
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
	void aaComparesTheFirstVariantWithItself() {
		assertThat(ids("run", "--aa", "--only", "c16")).containsExactlyInAnyOrder("direct-c16", "webflux-c16",
				"webflux-again-c16");
		assertThat(this.bench.run("run", "--aa", "--only", "direct-c16")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--aa needs a gateway");
	}

	@Test
	void aRateMakesEveryRowAnOpenOne() {
		assertThat(ids("run", "--rate", "500")).containsExactlyInAnyOrder("direct-r500", "webflux-r500",
				"webmvc-vt-r500", "webmvc-r500");
		assertThat(BenchFixture.request("run", "--rate", "500", "--arrivals", "poisson").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.load().arrivals()).isEqualTo(Arrivals.POISSON));
		assertThat(this.bench.run("run", "--rate", "0")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.run("run", "--rate", "5", "--arrivals", "stepped")).isEqualTo(Bench.USAGE);
	}

	@Test
	void connectionsMakeEveryRowAClosedLoopOfThatWidth() {
		assertThat(ids("run", "--connections", "1000")).containsExactlyInAnyOrder("direct-c1000", "webflux-c1000",
				"webmvc-vt-c1000", "webmvc-c1000");
		assertThat(BenchFixture.request("run", "--connections", "1000").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(1_000));
	}

	@Test
	void aControlThatAUsualRunLeavesOutIsAddedToNothing() {
		assertThat(ids("run", "routes", "--only", "webflux-800-first-c")).containsExactly("webflux-800-first-c100");
		assertThat(ids("run", "routes", "--only", "direct")).containsExactly("direct-c100");
	}

	@Test
	void whoChoosesScenariosCanChooseThoseThatAUsualRunLeavesOut() {
		assertThat(ids("run", "overhead")).containsExactlyInAnyOrder("direct-c100", "webflux-bare-c100",
				"webflux-all-c100", "webmvc-vt-bare-c100", "webmvc-vt-all-c100");
		assertThat(ids("run", "overhead", "--only", "webflux-metrics")).containsExactlyInAnyOrder("direct-c100",
				"webflux-metrics-c100");
	}

	@Test
	void reportsNameTheLoadOnlyWhereThereAreSeveral() {
		assertThat(BenchFixture.request("run", "--rate", "400").scenarios()).extracting(Scenario::title)
			.containsExactly("direct", "WebFlux", "WebMVC+VT", "WebMVC");
		assertThat(BenchFixture.request("run").scenarios()).extracting(Scenario::title)
			.contains("WebFlux × 16", "WebFlux × 100");
	}

	@Test
	void connectionsOfTheOpenModelAreTheMostRequestsInFlight() {
		assertThat(BenchFixture.request("run", "--rate", "400", "--connections", "1000").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(1_000));
		assertThat(BenchFixture.request("run", "--rate", "400").scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(256));
	}

	@Test
	void aConditionThatCannotBeReadIsWrongUsageBeforeAnythingStarts() throws Exception {
		assertThat(this.bench.run("run", "--fail-if", "webflux.cpu > 1ms", "--fail-if",
				"webmvc.cpuu > 1.10 * webflux.cpu"))
			.isEqualTo(Bench.USAGE);
		assertThat(this.bench.err().lines()).startsWith("bench: --fail-if is wrong:",
				"  webmvc.cpuu > 1.10 * webflux.cpu");
		assertThat(this.bench.run("run", "all", "--fail-if", "webflux.cpu > 1ms")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--fail-if is for one suite, and not for all");
		assertThat(this.bench.run("new")).isZero();
		Path mine = Files.writeString(this.directory.resolve("mine.yml"),
				this.bench.out() + "fail-if:\n  - webflux.cpu > 1ms\n  - webflux.cpu > 5MiB\n");
		assertThat(this.bench.run("run", mine.toString())).isEqualTo(Bench.USAGE);
		int line = Files.readAllLines(mine).size();
		assertThat(this.bench.err()).contains("bench: " + mine + ":" + line + ": fail-if.1 is wrong:",
				"'webflux.cpu' is told in µs; choose one of ms, s, us, µs");
	}

	private List<String> ids(String... args) {
		return BenchFixture.request(args).scenarios().stream().map((scenario) -> scenario.id()).toList();
	}

}
