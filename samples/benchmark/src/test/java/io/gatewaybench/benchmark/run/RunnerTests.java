package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ResourceSeries;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Suite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class RunnerTests {

	private final StubEngine engine = new StubEngine();

	private RunnerFixture runner;

	@BeforeEach
	void install(@TempDir Path directory) throws IOException {
		this.runner = new RunnerFixture(directory);
	}

	@AfterEach
	void noChildAndNoSamplerIsLeft() {
		this.runner.assertNothingIsLeft();
	}

	@Test
	void everyScenarioIsMeasuredAndReported() {
		RunResults results = this.runner.run(this.engine, this.runner.request("", "webflux-c16", "webmvc-vt-c100"));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.inSuiteOrder()).extracting(ScenarioResult::id)
			.containsExactly("webflux-c16", "webmvc-vt-c100");
		ScenarioResult first = results.inSuiteOrder().getFirst();
		// This machine runs other tests
		assertThat(first.verdict().reasons()).allSatisfy((reason) -> assertThat(reason).contains("of the CPU time"));
		assertThat(first.okPerSecond()).isEqualTo(400);
		assertThat(first.gateway().cpuMicrosPerOk()).isPositive();
		assertThat(first.gateway().startMillis()).isPositive();
		assertThat(first.probed()).extracting(Probe.Figure::name).contains("peak heap", "peak threads");
		assertThat(results.published(first.id())).containsEntry("throughput", 20.21);
		// 0.4 x 70 + 0.35 x 20 + 0.25 x 20
		assertThat(first.theoreticalMaximum().backendMeanMs()).isCloseTo(40, within(0.001));
		assertThat(first.theoreticalMaximum().requestsPerSecond()).isCloseTo(400, within(0.01));
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.out()).isDirectoryContaining("glob:**/report.html")
			.isDirectoryContaining("glob:**/report.md")
			.isDirectoryContaining("glob:**/plan.json");
		assertThat(this.runner.out().resolve("logs")).isDirectoryContaining("glob:**/backends.log")
			.isDirectoryContaining("glob:**/webflux-c16-1.log");
		assertThat(this.runner.out().resolveSibling("latest/results.json")).exists();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theResourcesOfEverySecondAreInTheResults() {
		StubEngine slow = new StubEngine() {

			@Override
			void during(Stage stage) throws InterruptedException {
				if (stage.kind() == Stage.Kind.MEASURE) {
					// Longer than a second, of which the series has to tell
					Thread.sleep(1_100);
				}
			}

		};
		RunResults results = this.runner.run(slow, this.runner.request("", "webflux-c16"));
		assertThat(results.scenarios()).isNotEmpty().allSatisfy((scenario) -> {
			ResourceSeries series = scenario.resources().series();
			assertThat(series.seconds()).startsWith(0);
			assertThat(series.cores()).isNotEmpty();
			assertThat(series.threads().getFirst()).isGreaterThan(5);
			assertThat(series.sockets().getFirst()).isPositive();
			assertThat(series.heapUsedBytes().getFirst()).isPositive();
		});
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
	}

	@Test
	void everyMeasurementIsPrecededByCyclesOfLoadAndRestAndARunUp() {
		RunResults results = this.runner.run(this.engine, this.runner.request("", "webflux-c16"));
		// Once more if something else on this machine disturbed it
		assertThat(this.engine.sent()).allSatisfy((session) -> assertThat(session.stages()).extracting(Stage::name)
			.containsExactly("warm-up 1", "warm-up 2", "warm-up 3", "run-up to webflux-c16", "webflux-c16"));
		assertThat(this.runner.rests().subList(0, 5)).containsOnly(RunPlan.REST);
		// Steady after three cycles, so the fourth is left out
		assertThat(results.warmups()).isNotEmpty().allSatisfy((curve) -> {
			assertThat(curve.variant()).isEqualTo("WebFlux");
			assertThat(curve.cycles()).hasSize(3);
			assertThat(curve.steady()).isTrue();
		});
	}

	@Test
	void thresholdsAreAnsweredInTheResultsAndInAFileForBuildServers() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request("", Duration.ofSeconds(30), 2, null, "webflux-c16"));
		// This machine runs other tests, which may disturb the measurements
		assertThat(results.thresholds()).extracting(ThresholdResult::condition, ThresholdResult::load)
			.containsExactly(tuple("webflux.throughput < 100/s", "c16"), tuple("webflux.throughput < 100/s", "c100"));
		assertThat(results.thresholds()).extracting(ThresholdResult::outcome).doesNotContain(Outcome.FAILED);
		assertThat(results.thresholds().getLast().reason()).isEqualTo("webflux was not measured.");
		assertThat(this.runner.out().resolve("thresholds.xml")).content()
			.contains("fail if webflux.throughput &lt; 100req/s");
	}

	@Test
	void blocksForWhichThereIsNoTimeAreLeftOut() {
		RunRequest request = this.runner.request("", Duration.ofSeconds(30), 3, Duration.ofMillis(1), "webflux-c16");
		RunResults results = this.runner.run(this.engine, request);
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).extracting(ScenarioResult::block).containsExactly(1);
		assertThat(results.settings().blocks()).isOne();
	}

	@Test
	void generatorAndBackendsCanDoTheBestThatTheyDid() {
		StubEngine slowAtFirst = new StubEngine() {

			@Override
			double seconds(Stage stage) {
				return switch (stage.name()) {
					case "capacity-1" -> 20;
					case "capacity-2" -> 2;
					default -> super.seconds(stage);
				};
			}

		};
		RunResults results = this.runner.run(slowAtFirst, this.runner.request("", "direct-c16"));
		assertThat(results.capacity()).containsEntry("c16", 1_000.0);
	}

	@Test
	void oneGatewayIsMeasuredUnderBothLoadsAndTheControlWithoutOne() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request("", "direct-c16", "webflux-c16", "webflux-c100"));
		assertThat(results.scenarios()).extracting(ScenarioResult::id)
			.containsExactlyInAnyOrder("direct-c16", "webflux-c16", "webflux-c100");
		assertThat(results.capacity()).containsOnlyKeys("c16", "c100").containsEntry("c16", 400.0);
		assertThat(this.engine.plans()).extracting(LoadPlan::id)
			.filteredOn((plan) -> !plan.endsWith("-repeated"))
			.containsExactlyInAnyOrder("capacity", "direct-c16-1", "webflux-c100-1");
		ScenarioResult direct = results.scenarios().stream().filter(ScenarioResult::control).findFirst().orElseThrow();
		assertThat(direct.gateway()).isNull();
		assertThat(direct.resources().backends()).isNotNull();
		ScenarioResult gateway = results.inSuiteOrder().get(1);
		assertThat(gateway.gateway().flags()).contains("-XX:+UseSerialGC");
		assertThat(gateway.gateway().allocatedBytesPerOk()).isPositive();
		assertThat(gateway.resources().machine()).isNotNull();
		assertThat(gateway.resources().gateway().cpuSeconds()).isPositive();
		// What was claimed is as much as generator and backends can do, so the gateway
		// may not be what was measured
		assertThat(gateway.verdict().reasons())
			.anySatisfy((reason) -> assertThat(reason).startsWith("without a gateway, generator and backends do 400"));
	}

	@Test
	void aMeasurementThatIsDisturbedIsMadeAgainAtTheEnd() {
		StubEngine disturbed = new StubEngine() {

			@Override
			void during(Stage stage) throws IOException, InterruptedException {
				if (stage.name().equals("webflux-c16") && !plans().getLast().id().endsWith("repeated")) {
					// What this process starts is part of the run, and what has no parent
					// is not
					Path end = RunnerTests.this.runner.directory().resolve("end");
					new ProcessBuilder("sh", "-c",
							"(i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; touch '%s') &".formatted(end))
						.start()
						.waitFor();
					await().until(() -> Files.exists(end));
				}
			}

		};
		RunResults results = this.runner.run(disturbed,
				this.runner.request(
						List.of(RunnerFixture.scenarios("", "webflux-c16").getFirst(),
								RunnerFixture.scenarios("", "webmvc-c16").getFirst()),
						Duration.ofSeconds(30), 1, null, Design.FRESH));
		assertThat(disturbed.plans()).extracting(LoadPlan::id)
			.contains("webflux-c16-1", "webmvc-c16-1", "webflux-c16-1-repeated");
		assertThat(results.scenarios()).extracting(ScenarioResult::id)
			.containsExactlyInAnyOrder("webflux-c16", "webmvc-c16");
		// Which of the two counts depends on what else this machine does
		assertThat(Stream.concat(results.scenarios().stream(), results.repeated().stream()))
			.filteredOn((each) -> each.id().equals("webflux-c16"))
			.hasSize(2)
			.anySatisfy((first) -> assertThat(first.verdict().reasons())
				.anyMatch((reason) -> reason.startsWith("other programs took")));
		assertThat(this.runner.out().resolve("report.md")).content()
			.contains("Measured twice, as something disturbed the first one: ");
	}

	@Test
	void aSessionTakesAsLongAsItIsEstimatedIfItsGatewayIsNeverSteady() {
		RunRequest request = this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webflux-c100"),
				Duration.ofSeconds(30), 1, 1, null, Design.FRESH, -1);
		this.runner.run(this.engine, request);
		Duration loads = this.engine.sent()
			.getFirst()
			.stages()
			.stream()
			.map(Stage::duration)
			.reduce(Duration.ZERO, Duration::plus);
		assertThat(this.engine.sent().getFirst().stages()).hasSize(4 + 2 * 2);
		// 4 in the warm-up, and 2 before each measurement
		Duration rested = RunPlan.REST.multipliedBy(4 + 2 * 2);
		assertThat(loads.plus(rested))
			.isEqualTo(request.plan().length().work(request.plan().sessions().getFirst(), false));
		assertThat(this.runner.rests()).hasSizeGreaterThanOrEqualTo(4 + 2 * 2).containsOnly(RunPlan.REST);
	}

	@Test
	void progressOfAConsoleWithoutTerminalIsPlainLines() {
		this.runner.run(this.engine, this.runner.request("", "webflux-c16"));
		assertThat(this.runner.output()).contains("Suite gateway: 1 block of 1 × 5 s",
				"webflux-c16, block 1: 400.0 req/s (100.0 % of the theoretical maximum), P50 40.0 ms");
	}

	@Test
	void programsAreToldOfEveryStepOfARunInItsOrder() {
		// Where gateways stay, nothing is measured again
		RunResults results = this.runner.run(this.engine,
				this.runner.resident(1, RunnerFixture.scenarios("", "webflux-c16")));
		assertThat(this.runner.events()).containsExactly(
				new RunEvent.RunBegun("gateway", this.runner.out().toString(),
						this.runner.out().resolve("plan.json").toString(), List.of("webflux-c16"), 1, 1,
						((RunEvent.RunBegun) this.runner.events().getFirst()).secondsAtMost()),
				new RunEvent.ScenarioBegun("webflux-c16", 1, false),
				new RunEvent.Second("webflux-c16", 1, 0, 2000, 0, 40.0),
				RunEvent.ScenarioEnded.of(results.scenarios().getFirst()));
		assertThat((RunEvent.ScenarioEnded) this.runner.events().getLast()).satisfies((ended) -> {
			assertThat(ended.okPerSecond()).isEqualTo(400);
			assertThat(ended.p99Ms()).isCloseTo(40, within(0.1));
			assertThat(ended.overheadP50Ms()).isCloseTo(1, within(0.1));
			assertThat(ended.errors()).isZero();
		});
		assertThat(((RunEvent.RunBegun) this.runner.events().getFirst()).secondsAtMost()).isPositive();
	}

}
