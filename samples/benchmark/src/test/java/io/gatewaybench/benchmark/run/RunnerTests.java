package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.result.WarmupCurve;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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
	void gatewaysOfAStartAreWarmedUpTogetherAndThenPracticeTwice() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webmvc-c16"), 1, 1,
						Duration.ofSeconds(60), Duration.ofSeconds(30)));
		assertThat(this.engine.sent()).hasSize(2)
			.allSatisfy((session) -> assertThat(session.stages()).extracting(Stage::name)
				.startsWith("warm-up", "warm-up")
				.containsSubsequence("practice", "practice")
				.last()
				.asString()
				.endsWith("-c16"));
		assertThat(this.engine.sent()).allSatisfy((session) -> {
			assertThat(session.stages().getFirst().rate()).isEqualTo(300);
			assertThat(session.stages().getLast().lead()).isPositive();
		});
		assertThat(results.warmups()).hasSize(2).allSatisfy((curve) -> {
			assertThat(curve.cycles()).hasSizeGreaterThanOrEqualTo(4);
			assertThat(curve.steady()).isNotNull();
		});
	}

	@Test
	void aGatewayThatIsStillColdIsMeasuredInTheFirstStartAndLeftOutOfLaterOnes() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webmvc-c16"), 2, 1,
						Duration.ofMillis(1), Duration.ofSeconds(30)));
		assertThat(results.warmups()).hasSize(4)
			.allSatisfy((curve) -> assertThat(curve.measured()).isEqualTo(curve.start() == 1 || curve.steady()));
		assertThat(results.scenarios()).hasSize((int) results.warmups().stream().filter(WarmupCurve::measured).count());
	}

	@Test
	void everyOtherRoundHasNoControlAndTheMainLoadOnly() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request("", "direct-c16", "webflux-c16", "webflux-c100"));
		assertThat(results.slices()).extracting(Slice::scenario, Slice::round)
			.containsExactlyInAnyOrder(tuple("direct-c16", 1), tuple("webflux-c16", 1), tuple("webflux-c100", 1),
					tuple("webflux-c16", 2));
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactlyInAnyOrder("direct-1", "webflux-1");
		ScenarioResult direct = results.scenarios().getFirst();
		assertThat(direct.control()).isTrue();
		assertThat(direct.gateway()).isNull();
		assertThat(direct.resources().backends()).isNotNull();
		ScenarioResult gateway = results.scenarios().get(1);
		assertThat(gateway.slices()).isEqualTo(2);
		assertThat(gateway.gateway().flags()).contains("-XX:+UseSerialGC");
		assertThat(gateway.gateway().allocatedBytesPerOk()).isPositive();
		assertThat(gateway.resources().machine()).isNotNull();
		assertThat(gateway.resources().gateway().cpuSeconds()).isPositive();
		assertThat(results.warmups()).singleElement().satisfies((curve) -> assertThat(curve.steady()).isNull());
	}

	@Test
	void aSliceThatTheHarnessSpoiltIsPlayedAgainAndNoted() {
		StubEngine spoilt = new StubEngine() {

			@Override
			StageResult played(LoadPlan plan, Stage stage) {
				StageResult result = super.played(plan, stage);
				if (stage.kind() != Stage.Kind.MEASURE || sent().getFirst().stages().size() > 1) {
					return result;
				}
				TypeResult first = result.types().getFirst();
				return SampleResults.with(result, "types", List.of(SampleResults.with(first, "counts",
						new Counts(first.counts().intended() + 3, first.counts().ok(), 0, 0, 0, 0, 0, 0))));
			}

		};
		RunResults results = this.runner.run(spoilt, this.runner.request("", "webflux-c16"));
		assertThat(results.voids())
			.containsExactly("webflux-c16, start 1, round 1: 3 of 803 requests are unaccounted for");
		assertThat(results.slices()).extracting(Slice::round).containsExactly(1, 2);
		assertThat(spoilt.sent().getFirst().stages()).hasSize(3);
	}

	@Test
	void aTargetThatStopsAnsweringIsToldAsAFailure() {
		StubEngine silent = new StubEngine() {

			@Override
			StageResult played(LoadPlan plan, Stage stage) {
				StageResult result = super.played(plan, stage);
				return SampleResults.with(result, "types", result.types()
					.stream()
					.map((type) -> SampleResults.with(type, "counts",
							new Counts(type.counts().intended(), 0, 0, type.counts().intended(), 0, 0, 0, 0),
							"okInWindow", 0L, "statuses", Map.of(), "failures", List.of("no answer in 10 s"), "latency",
							new LatencyViews(LatencyHistogram.empty(), LatencyHistogram.empty(), type.latency().slo(),
									LatencyHistogram.empty())))
					.toList());
			}

		};
		RunResults results = this.runner.run(silent,
				this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webmvc-c16")));
		assertThat(results.scenarios()).hasSize(2)
			.allSatisfy((each) -> assertThat(each.failures())
				.containsExactly("no response was successful (no answer in 10 s)"));
		assertThat(this.runner.out().resolve("report.html")).content().contains("failed: no response was successful");
	}

}
