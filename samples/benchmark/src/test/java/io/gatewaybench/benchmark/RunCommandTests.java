package io.gatewaybench.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Scenario;
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
		assertThat(ids("run", mine.toString())).containsExactlyInAnyOrder("direct-c32", "webflux-c32", "webmvc-vt-c32",
				"nginx-c32");
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
		assertThat(this.bench.run("run", mine, "--design", "duets")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--design duets is for loads that end by time");
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
	void aRunThatCanNotBeginIsOneEventForProgramsAndOneLineForPeople() {
		assertThat(this.bench.run("run", "--json", "--out", this.directory.resolve("new").toString()))
			.isEqualTo(Bench.FAILED);
		assertThat(this.bench.out().lines()).singleElement()
			.satisfies((line) -> assertThat(line)
				.startsWith("{\"event\":\"run-ended\",\"suite\":\"gateway\",\"exitCode\":1")
				.contains("Missing: "));
		assertThat(this.bench.err().lines()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("bench: Missing: "));
	}

	@Test
	void quietIsQuietWhenNothingCanBeRun() {
		assertThat(this.bench.run("run", "all", "--quiet", "--out", this.directory.toString())).isEqualTo(Bench.FAILED);
		assertThat(this.bench.out().lines()).containsExactly("All studies: " + this.directory.resolve("index.html"));
		assertThat(this.bench.err()).contains("bench: gateway: Missing: ");
	}

	@Test
	void theDefaultIsOneStartAndAsManyTurnsAsFitInTenMinutes() {
		RunRequest request = BenchFixture.request("run");
		assertThat(request.plan().settings().design()).isEqualTo(Design.TURNS);
		assertThat(request.plan().settings().starts()).isEqualTo(1);
		assertThat(request.plan().timeLimit()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request.plan().blocks()).hasSize(10);
		assertThat(request.plan().measurements()).isEqualTo(10 * 8);
		assertThat(request.plan().estimate()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(13));
		assertThat(BenchFixture.request("run", "--blocks", "2").plan().timeLimit()).isNull();
		assertThat(BenchFixture.request("run", "--starts", "2").plan().timeLimit()).isNull();
	}

	@Test
	void freshGatewaysHaveAsManyBlocksAsFitInTenMinutes() {
		RunRequest request = BenchFixture.request("run", "--design", "fresh");
		assertThat(request.plan().timeLimit()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request.plan().blocks()).hasSize(5);
		assertThat(request.plan().estimate()).isEqualTo(Duration.ofMinutes(10));
		assertThat(request.heap().text()).isEqualTo("2g");
	}

	@Test
	void aBlockThatTakesLongerThanTheTimeLimitIsAnnouncedWithItsTime() {
		assertThat(BenchFixture.request("run", "--duration", "5m").plan().estimate())
			.isGreaterThan(Duration.ofMinutes(40));
	}

	@Test
	void fullMeansTenBlocksOfThreeHundredSecondsAndALongWarmUp() {
		RunResults.Settings settings = BenchFixture.request("run", "--full").plan().settings();
		assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(300));
		assertThat(settings.design()).isEqualTo(Design.FRESH);
		assertThat(settings.blocks()).isEqualTo(10);
		assertThat(settings.warmup())
			.isEqualTo(new RunResults.Warmup(Duration.ofSeconds(15), Duration.ofSeconds(15), 15, 0.03));
		assertThat(BenchFixture.request("run", "--full").plan().timeLimit()).isNull();
		assertThat(BenchFixture.request("run", "--full", "--blocks", "2").plan().settings().blocks()).isEqualTo(2);
	}

	@Test
	void warmUpIsCutIntoCyclesThatCanTellWhetherTheGatewayIsSteady() {
		assertThat(BenchFixture.request("run", "--warmup", "3s").plan().settings().warmup().cycles()).isEqualTo(3);
		assertThat(BenchFixture.request("run", "--warmup", "0s").plan().settings().warmup().cycles()).isZero();
		assertThat(BenchFixture.request("run", "--warmup", "2m").plan().settings().warmup())
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
		assertThat(BenchFixture.request("run").plan().profiles()).isEmpty();
		RunRequest profiled = BenchFixture.request("run", "--only", "webflux,webmvc-c100", "--profile", "jfr");
		assertThat(profiled.plan().profiles()).extracting((session) -> session.scenarios().getFirst().id())
			.containsExactly("webflux-c100", "webmvc-c100");
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
		assertThat(BenchFixture.request("run", "--rate", "500", "--arrivals", "poisson").plan().sessions())
			.allSatisfy((session) -> assertThat(session.scenarios()).singleElement()
				.satisfies((scenario) -> assertThat(scenario.load().arrivals()).isEqualTo(Arrivals.POISSON)));
		assertThat(this.bench.run("run", "--rate", "0")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.run("run", "--rate", "5", "--arrivals", "stepped")).isEqualTo(Bench.USAGE);
	}

	@Test
	void connectionsMakeEveryRowAClosedLoopOfThatWidth() {
		assertThat(ids("run", "--connections", "1000")).containsExactlyInAnyOrder("direct-c1000", "webflux-c1000",
				"webmvc-vt-c1000", "webmvc-c1000");
		assertThat(BenchFixture.request("run", "--connections", "1000").plan().sessions())
			.allSatisfy((session) -> assertThat(session.scenarios()).singleElement()
				.satisfies((scenario) -> assertThat(scenario.workload().connections()).isEqualTo(1_000)));
	}

	private static RunRequest duets(String... more) {
		List<String> arguments = new ArrayList<>(List.of("run", "clients", "--design", "duets"));
		arguments.addAll(List.of(more));
		return BenchFixture.request(arguments.toArray(String[]::new));
	}

	@Test
	void gatewaysThatStayAreStartedThreeTimesUnlessToldOtherwise() {
		assertThat(duets().plan().settings().starts()).isEqualTo(3);
		assertThat(duets("--blocks", "2").plan().settings().starts()).isEqualTo(2);
		assertThat(duets("--starts", "1").plan().blocks()).allSatisfy((block) -> assertThat(block.start()).isOne());
		assertThat(BenchFixture.request("run", "--blocks", "2").plan().blocks()).extracting(RunPlan.Block::start)
			.containsExactly(1, 2);
	}

	@Test
	void aShortWarmUpOfAFullRunHasShortCycles() {
		RunResults.Warmup warmup = BenchFixture.request("run", "--full", "--warmup", "10s").plan().settings().warmup();
		assertThat(warmup.cycles()).isEqualTo(5);
		assertThat(warmup.load()).isEqualTo(Duration.ofSeconds(2));
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
	void aSeedDecidesTheOrderAndEveryBlockHasEveryVariant() {
		RunPlan first = BenchFixture.request("run", "--seed", "7").plan();
		assertThat(first).isEqualTo(BenchFixture.request("run", "--seed", "7").plan());
		assertThat(first).isNotEqualTo(BenchFixture.request("run", "--seed", "8").plan());
		assertThat(first.blocks()).allSatisfy((block) -> {
			assertThat(block.sessions()).extracting((session) -> session.variant().id())
				.containsExactlyInAnyOrder("direct", "webflux", "webmvc-vt", "webmvc");
			assertThat(block.sessions()).allSatisfy((session) -> assertThat(session.scenarios()).hasSize(2));
		});
	}

	@Test
	void theExitCodeTellsHowTheRunEnded() {
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.COMPLETE, true))).isZero();
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.COMPLETE, false))).isEqualTo(3);
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.FAILED, true))).isEqualTo(1);
		assertThat(RunCommand.exitCode(BenchFixture.results(Status.INTERRUPTED, true))).isEqualTo(130);
	}

	@Test
	void thresholdsHaveExitCodesOfTheirOwn() {
		RunResults valid = BenchFixture.results(Status.COMPLETE, true);
		RunResults invalid = BenchFixture.results(Status.COMPLETE, false);
		assertThat(RunCommand.exitCode(BenchFixture.answered(valid, Outcome.PASSED))).isZero();
		assertThat(RunCommand.exitCode(BenchFixture.answered(invalid, Outcome.PASSED))).isEqualTo(3);
		assertThat(RunCommand.exitCode(BenchFixture.answered(invalid, Outcome.PASSED, Outcome.INCONCLUSIVE)))
			.isEqualTo(5);
		assertThat(RunCommand.exitCode(BenchFixture.answered(invalid, Outcome.INCONCLUSIVE, Outcome.FAILED)))
			.isEqualTo(4);
		assertThat(
				RunCommand.exitCode(BenchFixture.answered(BenchFixture.results(Status.FAILED, true), Outcome.FAILED)))
			.isEqualTo(1);
		assertThat(RunCommand
			.exitCode(BenchFixture.answered(BenchFixture.results(Status.INTERRUPTED, true), Outcome.FAILED)))
			.isEqualTo(130);
	}

	@Test
	void aConditionThatCannotBeReadIsWrongUsageBeforeAnythingStarts() throws Exception {
		assertThat(this.bench.run("run", "--fail-if", "webflux.cpu > 1ms", "--fail-if",
				"webmvc.cpuu > 1.10 * webflux.cpu"))
			.isEqualTo(Bench.USAGE);
		assertThat(this.bench.err().lines()).startsWith("bench: --fail-if is wrong at character 8:",
				"  webmvc.cpuu > 1.10 * webflux.cpu", "         ^");
		assertThat(this.bench.run("run", "all", "--fail-if", "webflux.cpu > 1ms")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--fail-if is for one suite, and not for all");
		assertThat(this.bench.run("new")).isZero();
		Path mine = Files.writeString(this.directory.resolve("mine.yml"),
				this.bench.out() + "fail-if:\n  - webflux.cpu > 1ms\n  - webflux.cpu > 5MiB\n");
		assertThat(this.bench.run("run", mine.toString())).isEqualTo(Bench.USAGE);
		int line = Files.readAllLines(mine).size();
		assertThat(this.bench.err()).contains("bench: " + mine + ":" + line + ": fail-if.1 is wrong at character 16:",
				"'webflux.cpu' is told in µs; choose one of ms, s, us, µs");
	}

	private List<String> ids(String... args) {
		return BenchFixture.request(args).scenarios().stream().map((scenario) -> scenario.id()).toList();
	}

	@Test
	void severalHostsShareWhatRunsAlready() throws Exception {
		String suite = Files.writeString(this.directory.resolve("mine.yml"), """
				title: Mine
				components: {nginx: {url: "http://10.0.0.7:80"}}
				variants:
				  direct: {url: "${nginx.url}"}
				  gateway: {url: "http://10.0.0.8:8080"}
				requests: {a: {path: /a}}
				loads: [{users: 4}, {rate: 100}]
				""").toString();
		String time = "2100-01-02T03:04:05Z";
		RunPlan plan = BenchFixture
			.request("run", suite, "--segment", "2/4", "--start-at", time, "--seed", "7", "--blocks", "2")
			.plan();
		assertThat(plan.segment()).isEqualTo(new Segment(2, 4));
		assertThat(plan.startAt()).isEqualTo(time);
		assertThat(plan.blocks()).hasSize(2);
		RunPlan other = BenchFixture
			.request("run", suite, "--segment", "1/4", "--start-at", time, "--seed", "7", "--blocks", "2")
			.plan();
		assertThat(plan.blocks()).isEqualTo(other.blocks());
		assertThat(BenchFixture.request("run", suite, "--segment", "1/4", "--start-at", time, "--seed", "7").plan())
			.satisfies((once) -> assertThat(once.blocks()).hasSize(1))
			.satisfies((once) -> assertThat(once.timeLimit()).isNull());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "--segment 1/5|direct-c4 has only 4 connections, and every host needs one",
					"--segment 3/2|segment is '3/2'", "--segment 1-2|'1-2' is no segment: write 1/5 to 5/5",
					"--segment 1/2 --design turns|--segment is for --design fresh",
					"--segment 1/2 --start-at 2020-01-01T00:00:00Z|--start-at 2020-01-01T00:00:00Z is over" })
	void whatCanNotBeSharedIsWrongUsage(String options, String message) throws Exception {
		String suite = Files.writeString(this.directory.resolve("mine.yml"), """
				title: Mine
				components: {nginx: {url: "http://10.0.0.7:80"}}
				variants: {direct: {url: "${nginx.url}"}}
				requests: {a: {path: /a}}
				loads: [{users: 4}]
				""").toString();
		String time = options.contains("--start-at") ? "" : " --start-at 2100-01-01T00:00:00Z";
		assertThat(this.bench.run(("run " + suite + " --seed 1 " + options + time).split(" "))).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains(message);
	}

	@Test
	void aSegmentNeedsASeedATimeAndATargetThatRuns() {
		assertThat(this.bench.run("run", "--segment", "1/2", "--start-at", "2100-01-01T00:00:00Z"))
			.isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--segment needs --seed");
		assertThat(this.bench.run("run", "--segment", "1/2", "--seed", "1")).isEqualTo(Bench.USAGE);
		assertThat(this.bench.err()).contains("--start-at");
		assertThat(this.bench.run("run", "--segment", "1/2", "--seed", "1", "--start-at", "2100-01-01T00:00:00Z"))
			.isEqualTo(Bench.USAGE);
		assertThat(this.bench.err())
			.contains("every host would start the component backends; start it by hand, and write its url");
	}

}
