package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class RunPlanTests {

	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private static final MainQuestion QUESTION = new MainQuestion(Metric.CPU, "c100", 0.1);

	@Test
	void theSeedDecidesTheOrderOfEveryRound() {
		RunPlan plan = plan(SUITE, 1, 9);
		List<Scenario> group = plan.groups().getFirst();
		assertThat(plan.round(group, 1, 1)).isEqualTo(plan(SUITE, 1, 9).round(group, 1, 1))
			.containsExactlyInAnyOrderElementsOf(group);
		assertThat(IntStream.range(0, 100).mapToObj((round) -> plan.round(group, 1, 2 * round + 1)).distinct())
			.hasSizeGreaterThan(50);
		assertThat(IntStream.range(0, 20).mapToObj((seed) -> plan(SUITE, seed, 9).round(group, 1, 1)).distinct())
			.hasSizeGreaterThan(10);
		assertThat(plan.seed(1, 2)).isNotEqualTo(plan.seed(2, 1));
	}

	@Test
	void aVariantAndItsBaselineAreNeighboursByLoad() {
		RunPlan plan = plan(SUITE, 1, 9);
		for (int round = 1; round < 20; round += 2) {
			List<String> loads = plan.round(plan.groups().getFirst(), 1, round)
				.stream()
				.map((scenario) -> scenario.load().id())
				.toList();
			// One block of each load
			assertThat(IntStream.range(1, loads.size()).filter((i) -> !loads.get(i).equals(loads.get(i - 1))))
				.hasSize(1);
		}
	}

	@Test
	void everyOtherRoundHasTheLoadOfTheMainQuestionOnly() {
		RunPlan plan = plan(SUITE, 1, 9);
		List<Scenario> group = plan.groups().getFirst();
		List<Scenario> gateways = group.stream().filter((scenario) -> !scenario.variant().control()).toList();
		assertThat(plan.round(group, 1, 0)).containsExactlyInAnyOrderElementsOf(gateways);
		for (int round = 1; round < 6; round += 2) {
			assertThat(plan.round(group, 1, round)).containsExactlyInAnyOrderElementsOf(group);
			assertThat(plan.round(group, 1, round + 1)).containsExactlyInAnyOrderElementsOf(
					gateways.stream().filter((scenario) -> scenario.load().id().equals("c100")).toList());
		}
	}

	@ParameterizedTest
	@MethodSource("suites")
	void everyVariantHasItsBaselineInAGroupAndGroupsFitIntoTheMemory(Suite suite) {
		for (List<Scenario> scenarios : List.of(suite.scenarios(), suite.fullScenarios())) {
			for (int atOnce : List.of(2, 3, 100)) {
				RunPlan plan = RunPlan.of(suite, scenarios, settings(1), QUESTION, atOnce, false);
				assertThat(plan.scenarios()).containsExactlyInAnyOrderElementsOf(scenarios);
				List<List<Variant>> groups = plan.groups()
					.stream()
					.map((group) -> group.stream().map(Scenario::variant).distinct().toList())
					.toList();
				assertThat(groups)
					.allSatisfy((group) -> assertThat(RunPlan.processes(group)).isLessThanOrEqualTo(atOnce));
				scenarios.stream()
					.map(Scenario::variant)
					.filter((variant) -> variant.baseline() != null)
					.forEach((variant) -> assertThat(groups).anySatisfy((group) -> assertThat(group).contains(variant)
						.extracting(Variant::title)
						.contains(variant.baseline())));
			}
			assertThat(RunPlan.of(suite, scenarios, settings(1), QUESTION, 100, false).groups()).hasSize(1);
		}
	}

	@Test
	void withLittleMemoryTheFirstGatewayIsInEveryGroup() {
		assertThat(plan(SUITE, 1, 2).groups()).hasSize(2)
			.allSatisfy(
					(group) -> assertThat(group).extracting((scenario) -> scenario.variant().id()).contains("webflux"));
	}

	@ParameterizedTest
	@MethodSource("suites")
	void aGeneratorCanSendEverySliceOfItsTarget(Suite suite) {
		for (Scenario scenario : suite.fullScenarios()) {
			RunPlan plan = plan(suite, 1, 100);
			Load load = scenario.load();
			new LoadPlan("plan", URI.create("http://127.0.0.1:1"), load.workload(),
					new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1)), 1)
				.check(load.measurement(scenario.id(), plan.window(load, Duration.ZERO))
					.after(plan.lead(load, Duration.ZERO)), false);
		}
	}

	static List<Suite> suites() {
		return Suites.all();
	}

	@Test
	void aSliceIsLongerWhereTheBackendsTakeLonger() {
		RunPlan plan = plan(SUITE, 1, 9);
		Scenario quick = SUITE.scenarios().getFirst();
		assertThat(plan.window(quick.load(), Duration.ZERO)).isEqualTo(Duration.ofSeconds(2));
		assertThat(plan.lead(quick.load(), Duration.ZERO)).isEqualTo(Duration.ofMillis(300));
		Load slow = Load.closed(new Workload(Model.CLOSED,
				quick.workload()
					.mix()
					.stream()
					.map((type) -> SampleResults.with(type, "backend", Duration.ofSeconds(1)))
					.toList(),
				16, Duration.ZERO));
		assertThat(plan.window(slow, Duration.ZERO)).isEqualTo(Duration.ofSeconds(6));
		assertThat(plan.lead(slow, Duration.ZERO)).isEqualTo(Duration.ofSeconds(2));
		assertThat(plan.window(quick.load(), Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(12));
		assertThat(plan.lead(quick.load(), Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(4));
	}

	@Test
	void aLoadWithAnEndOfItsOwnIsOneLongSliceWithoutALead() {
		RunPlan plan = plan(SUITE, 1, 9);
		Load base = SUITE.scenarios().getFirst().load();
		Load iterations = new Load(base.workload(), null, 0, Arrivals.CONSTANT, List.of(),
				new Iterations(100, Duration.ofMinutes(5)), null);
		assertThat(plan.window(iterations, Duration.ZERO)).isEqualTo(Duration.ofMinutes(5));
		assertThat(plan.lead(iterations, Duration.ZERO)).isZero();
		Load burst = Suites.named("burst").orElseThrow().scenarios().getFirst().load();
		assertThat(plan.window(burst, Duration.ZERO)).as("all its steps").isEqualTo(Duration.ofSeconds(8));
		assertThat(plan.lead(burst, Duration.ZERO)).isZero();
	}

	private static RunPlan plan(Suite suite, long seed, int atOnce) {
		return RunPlan.of(suite, suite.scenarios(), settings(seed), QUESTION, atOnce, false);
	}

	private static RunResults.Settings settings(long seed) {
		return new RunResults.Settings(Duration.ofSeconds(2), 0.05, null, null, null, Duration.ofSeconds(60), "512m",
				Duration.ofSeconds(10), seed, false, "embedded");
	}

}
