package io.gatewaybench.benchmark.run;

import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Step;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Load;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmUpTests {

	private static final Load LOAD = RunnerFixture.scenarios("", "webflux-c16").getFirst().load();

	@Test
	void aCrowdOfUsersIsWarmedUpWithThousandOfThem() {
		assertThat(connections(LOAD.on(10_000))).isEqualTo(1000);
		assertThat(connections(LOAD.on(16))).isEqualTo(16);
	}

	@Test
	void aLoadOfTheOpenModelIsWarmedUpWithAllItsConnections() {
		assertThat(connections(LOAD.atRate(500, Arrivals.CONSTANT, 4000))).isEqualTo(4000);
	}

	@Test
	void aBurstComesMoreOftenInTheWarmUp() {
		Load burst = new Load(LOAD.on(16).atRate(500, Arrivals.CONSTANT, 256).workload(), null, 500, Arrivals.STEPPED,
				List.of(new Step(Duration.ofSeconds(9), 1), new Step(Duration.ofMillis(500), 10)), null, null);
		assertThat(WarmUp.stage(burst, "warm-up", Duration.ofSeconds(5)).steps())
			.containsExactly(new Step(Duration.ofSeconds(1), 1), new Step(Duration.ofSeconds(1), 10));
	}

	private static int connections(Load load) {
		return WarmUp.stage(load, "warm-up", Duration.ofSeconds(5)).connections();
	}

	@Test
	void aTargetThatNobodyCanLookAtIsWarmAfterAllItsCycles() throws Exception {
		WarmUp warmUp = new WarmUp(() -> null, new Steadiness(0.1));
		StubEngine engine = new StubEngine() {

			@Override
			void ask(LoadPlan plan, Stage stage) {
			}

		};
		Console console = new Console(new PrintStream(OutputStream.nullOutputStream()), null, (event) -> {
		}, System::nanoTime, (rest) -> {
		});
		try (Console.Task task = console.task("warm-up");
				LoadSession session = engine.open(new LoadPlan("remote", URI.create("http://127.0.0.1:1"),
						LOAD.workload(), new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1)), 1))) {
			assertThat(warmUp.isDone()).isFalse();
			warmUp.run(session, LOAD, new RunResults.Warmup(Duration.ofSeconds(5), Duration.ofSeconds(1), 4, 0.1), 4,
					task);
		}
		assertThat(engine.sent().getFirst().stages()).hasSize(4);
		assertThat(warmUp.isWarm()).isFalse();
		assertThat(warmUp.isDone()).isTrue();
		assertThat(warmUp.curve("remote", 1).cycles()).hasSize(4).allSatisfy((cycle) -> {
			assertThat(cycle.okPerSecond()).isPositive();
			assertThat(cycle.cpuMicrosPerOk()).isNull();
		});
	}

}
