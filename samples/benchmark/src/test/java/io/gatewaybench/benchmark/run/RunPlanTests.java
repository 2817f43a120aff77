package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RunPlanTests {

	@Test
	void withoutABaselineAVariantIsPairedWithTheFirstGatewayUnderTheSameLoad() {
		assertThat(duets("gateway")).containsExactly(tuple("webmvc-vt-c16", "webflux-c16"),
				tuple("webmvc-c16", "webflux-c16"), tuple("webmvc-vt-c100", "webflux-c100"),
				tuple("webmvc-c100", "webflux-c100"));
	}

	@Test
	void aVariantIsPairedWithTheBaselineThatItNames() {
		assertThat(duets("routes"))
			.contains(tuple("webflux-10000-last-c100", "webflux-1-c100"),
					tuple("webmvc-vt-800-last-c100", "webmvc-vt-800-first-c100"))
			.noneMatch((pair) -> pair.toList().contains("direct-c100"));
	}

	@Test
	void aGatewayHasALongerRunUpInItsFirstDuet() {
		Suite suite = Suites.named("routes").orElseThrow();
		List<Scenario> scenarios = suite.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().startsWith("webflux-1"))
			.toList();
		RunPlan plan = RunPlan.of(suite, scenarios, settings(2, Design.DUETS), null);
		assertThat(plan.blocks().stream().map((block) -> runUp(plan, block))).containsExactly(Duration.ofSeconds(4),
				Duration.ofSeconds(4), RunPlan.RUN_UP, RunPlan.RUN_UP);
	}

	private static Duration runUp(RunPlan plan, RunPlan.Block block) {
		List<Duration> both = block.sessions()
			.stream()
			.map((session) -> plan.whole(session, true).stages().getFirst().duration())
			.distinct()
			.toList();
		assertThat(both).hasSize(1);
		return both.getFirst();
	}

	private static RunResults.Settings settings(int blocks, Design design) {
		return new RunResults.Settings(new RunResults.Warmup(Duration.ofSeconds(4), Duration.ofSeconds(1), 5, 0.1),
				Duration.ofSeconds(1), blocks, "512m", Duration.ofSeconds(10), 1, false, design, "netty");
	}

	private static List<Tuple> duets(String suite) {
		List<Scenario> scenarios = Suites.named(suite).orElseThrow().scenarios();
		return RunPlan.duets(scenarios)
			.stream()
			.map((duet) -> tuple(duet.getFirst().id(), duet.getLast().id()))
			.toList();
	}

}
