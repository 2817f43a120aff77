package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import static io.gatewaybench.benchmark.plan.Stage.Kind.IDLE;
import static io.gatewaybench.benchmark.plan.Stage.Kind.MEASURE;
import static io.gatewaybench.benchmark.plan.Stage.Kind.WARMUP;
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
		RunPlan plan = RunPlan.of(suite, scenarios, settings(5, 2, Design.DUETS), null);
		assertThat(plan.blocks().stream().map((block) -> runUp(plan, block))).containsExactly(Duration.ofSeconds(4),
				Duration.ofSeconds(4), RunPlan.RUN_UP, RunPlan.RUN_UP);
	}

	@Test
	void everyMeasurementHasARunUpUnderItsOwnLoad() {
		RunPlan plan = gateway(5);
		RunPlan.Session session = gatewaySession(plan);
		List<Tuple> expected = new ArrayList<>(
				Collections.nCopies(5, List.of(tuple(WARMUP, 100, true), tuple(IDLE, 0, true)))
					.stream()
					.flatMap(List::stream)
					.toList());
		for (Scenario scenario : session.scenarios()) {
			int connections = scenario.workload().connections();
			expected.addAll(List.of(tuple(IDLE, 0, false), tuple(WARMUP, connections, false), tuple(IDLE, 0, false),
					tuple(MEASURE, connections, false)));
		}
		assertThat(session.scenarios()).hasSize(2);
		assertThat(plan.whole(session, false).stages()).extracting(Stage::kind, Stage::connections, Stage::dispensable)
			.containsExactlyElementsOf(expected);
		assertThat(plan.whole(session, false).stages()).extracting(Stage::name).doesNotHaveDuplicates();
	}

	@Test
	void whatIsNotWarmedUpHasNoRunUp() {
		RunPlan plan = gateway(0);
		assertThat(plan.whole(gatewaySession(plan), false).stages()).extracting(Stage::kind)
			.containsExactly(IDLE, MEASURE, IDLE, MEASURE);
	}

	@Test
	void whatHasNoValidMeasurementInAnyBlockIsRepeatedFirst() {
		Suite suite = Suites.named("gateway").orElseThrow();
		RunResults results = SampleResults.of("A title", RunResults.Status.RUNNING, 2,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webflux-c16", "WebFlux", 2),
				SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 2));
		RunPlan fresh = RunPlan.of(suite, suite.scenarios(), settings(5, 2, Design.FRESH), null);
		assertThat(fresh.repetitions(results)).extracting(RunPlan.Session::id)
			.containsExactly("webmvc-c16-1-repeated", "webmvc-c16-2-repeated", "webflux-c16-2-repeated");
		RunPlan turns = RunPlan.of(suite, suite.scenarios(), settings(5, 2, Design.TURNS), null);
		assertThat(turns.repetitions(results)).isEmpty();
	}

	private static RunPlan gateway(int cycles) {
		Suite suite = Suites.named("gateway").orElseThrow();
		return RunPlan.of(suite, suite.scenarios(), settings(cycles, 1, Design.FRESH), null);
	}

	private static RunPlan.Session gatewaySession(RunPlan plan) {
		return plan.sessions().stream().filter((session) -> !session.variant().control()).findFirst().orElseThrow();
	}

	private static Duration runUp(RunPlan plan, RunPlan.Block block) {
		List<Duration> both = block.sessions()
			.stream()
			.map((session) -> plan.whole(session, true).stages())
			.flatMap(List::stream)
			.filter((stage) -> stage.kind() == WARMUP)
			.map(Stage::duration)
			.distinct()
			.toList();
		assertThat(both).hasSize(1);
		return both.getFirst();
	}

	private static RunResults.Settings settings(int cycles, int blocks, Design design) {
		return new RunResults.Settings(new RunResults.Warmup(Duration.ofSeconds(4), Duration.ofSeconds(1), cycles, 0.1),
				Duration.ofSeconds(1), blocks, design.isResident() ? 1 : blocks, "512m", Duration.ofSeconds(10), 1,
				false, Grouping.OWN, design, "netty");
	}

	private static List<Tuple> duets(String suite) {
		List<Scenario> scenarios = Suites.named(suite).orElseThrow().scenarios();
		return RunPlan.duets(scenarios)
			.stream()
			.map((duet) -> tuple(duet.getFirst().id(), duet.getLast().id()))
			.toList();
	}

}
