package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
		assertThat(duets("overhead"))
			.contains(tuple("webflux-all-c100", "webflux-bare-c100"),
					tuple("webmvc-vt-all-c100", "webmvc-vt-bare-c100"))
			.noneMatch((pair) -> pair.toList().contains("direct-c100"));
	}

	@Test
	void aGatewayHasALongerRunUpInItsFirstDuet() {
		Suite suite = Suites.named("clients").orElseThrow();
		List<Scenario> scenarios = suite.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().matches("webmvc-vt-(apache|jetty|reactor|jdk)-.*"))
			.toList();
		RunPlan plan = RunPlan.of(suite, scenarios, settings(5, 2, Design.DUETS), null);
		Duration longer = Duration.ofSeconds(12);
		assertThat(plan.blocks().stream().map((block) -> runUp(plan, block))).containsExactly(longer, longer, longer,
				RunPlan.RUN_UP, RunPlan.RUN_UP, RunPlan.RUN_UP);
	}

	@Test
	void aSessionIsAsLongAsEverythingInIt() {
		RunPlan plan = gateway(5);
		RunPlan.Session session = gatewaySession(plan);
		assertThat(session.scenarios()).hasSize(2);
		assertThat(plan.cycles(session, false)).isEqualTo(5);
		assertThat(plan.length().warmUp(session)).isEqualTo(Duration.ofSeconds(5 * (4 + 1)));
		// Rest, run-up, rest, measurement
		assertThat(plan.length().work(session, false)).isEqualTo(Duration.ofSeconds(5 * (4 + 1) + 2 * (1 + 4 + 1 + 1)));
		assertThat(plan.length().work(session, true)).isEqualTo(Duration.ofSeconds(2 * (1 + 2 + 1 + 1)));
	}

	@Test
	void variantsThatShareAProcessAreMeasuredOneAfterTheOtherAndWarmedUpTogether() {
		Suite suite = Suites.named("delays").orElseThrow();
		RunPlan plan = RunPlan.of(suite, suite.fullScenarios(), settings(5, 1, Design.FRESH), null);
		assertThat(plan.sessions()).extracting((session) -> session.scenarios().size())
			.containsExactlyInAnyOrder(12, 3 * 12, 3 * 12, 2 * 12);
		RunPlan.Session session = plan.sessions()
			.stream()
			.filter((each) -> each.process().equals("webmvc-vt"))
			.findFirst()
			.orElseThrow();
		Load warmUp = WarmUpLoad.of(session);
		// 800 users of 10 ms send the most
		assertThat(warmUp.workload().connections()).isEqualTo(800);
		assertThat(WarmUpLoad.workload(session).connections()).isEqualTo(800);
		assertThat(warmUp.workload().mix()).extracting(RequestType::name, (type) -> type.paths().getFirst())
			.containsExactly(tuple("sync-apache-client-vt-10ms", "/sync-apache-client?delay=10"),
					tuple("sync-vt-10ms", "/sync?delay=10"));
		assertThat(session.title()).isEqualTo("webmvc-vt");
	}

	@Test
	void noTwoSessionsOfABlockHaveTheSameName() {
		Suite suite = Suites.named("gateway").orElseThrow();
		List<Scenario> scenarios = suite.scenarios()
			.stream()
			.flatMap((scenario) -> Stream.of(scenario, scenario.atRate(100, Arrivals.CONSTANT, 64),
					scenario.atRate(200, Arrivals.CONSTANT, 64)))
			.distinct()
			.toList();
		RunPlan plan = RunPlan.of(suite, scenarios, settings(0, 2, Design.FRESH), null);
		assertThat(plan.sessions()).hasSize(2 * 4 * 2).extracting(RunPlan.Session::id).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("suites")
	void aGeneratorCanSendEveryLoadOfItsSession(Suite suite) {
		for (List<Scenario> scenarios : List.of(suite.scenarios(), suite.fullScenarios())) {
			for (RunPlan.Session session : RunPlan.of(suite, scenarios, settings(5, 1, suite.design()), null)
				.sessions()) {
				LoadPlan plan = new LoadPlan(session.id(), URI.create("http://127.0.0.1:1"),
						WarmUpLoad.workload(session), new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1)), 1);
				plan.check(WarmUpLoad.of(session).warmUp("warm-up", Duration.ofSeconds(1)));
				session.scenarios()
					.forEach((scenario) -> plan
						.check(scenario.load().measurement("measurement", Duration.ofSeconds(1))));
			}
		}
	}

	static List<Suite> suites() {
		return Suites.all();
	}

	@Test
	void aMeasurementWithIterationsTakesItsOwnTimeAtMost() {
		Suite suite = Suites.named("gateway").orElseThrow();
		Scenario byTime = suite.scenarios().getFirst();
		Load load = new Load(byTime.workload(), null, 0, Arrivals.CONSTANT, List.of(),
				new Iterations(100, Duration.ofMinutes(5)), null);
		RunPlan plan = RunPlan.of(suite, List.of(byTime, Scenario.of(byTime.variant(), load)),
				settings(0, 1, Design.FRESH), null);
		// Rest, measurement
		assertThat(plan.length().work(plan.sessions().getFirst(), true)).isEqualTo(Duration.ofSeconds(1 + 1 + 1 + 300));
	}

	@Test
	void backendsAreWarmAfterFewCyclesAndAShortRunUp() {
		RunPlan plan = gateway(10);
		RunPlan.Session control = plan.sessions()
			.stream()
			.filter((session) -> session.variant().control())
			.findFirst()
			.orElseThrow();
		assertThat(plan.cycles(control, false)).isEqualTo(5);
		assertThat(plan.runUp(control, false)).isEqualTo(RunPlan.RUN_UP);
	}

	@Test
	void aGatewayThatWasNotSteadyAfterItsWarmUpGetsAFewCyclesMore() {
		RunPlan plan = gateway(10);
		RunPlan.Session session = gatewaySession(plan);
		assertThat(plan.cycles(session, false)).isEqualTo(10);
		assertThat(plan.cycles(session, true)).isEqualTo(5);
	}

	@Test
	void whatIsNotWarmedUpHasNoRunUp() {
		RunPlan plan = gateway(0);
		assertThat(plan.runUp(gatewaySession(plan), false)).isZero();
		// Rest, measurement
		assertThat(plan.length().work(gatewaySession(plan), false)).isEqualTo(Duration.ofSeconds(2 * (1 + 1)));
	}

	@Test
	void whatHasNoValidMeasurementInAnyBlockIsRepeatedFirst() {
		Suite suite = Suites.named("gateway").orElseThrow();
		RunResults results = SampleResults.of("A title", RunResults.Status.RUNNING,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webflux-c16", "WebFlux", 2),
				SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 2));
		RunPlan fresh = RunPlan.of(suite, suite.scenarios(), settings(5, 2, Design.FRESH), null);
		assertThat(fresh.repetitions(results)).extracting(RunPlan.Session::id)
			.containsExactly("webmvc-c16-1-repeated", "webmvc-c16-2-repeated", "webflux-c16-2-repeated");
		RunPlan cold = RunPlan.of(suite, suite.scenarios(), settings(2, 2, Design.FRESH), null);
		assertThat(cold.repetitions(results)).isEmpty();
		RunPlan turns = RunPlan.of(suite, suite.scenarios(), settings(5, 2, Design.TURNS), null);
		assertThat(turns.repetitions(results)).isEmpty();
	}

	@Test
	void everyVariantIsProfiledOnceUnderTheLoadWithMostRequests() {
		Suite suite = Suites.named("gateway").orElseThrow();
		RunPlan plan = gateway(5);
		RunPlan profiled = plan.withProfiles(suite.scenarios());
		assertThat(plan.profiles()).isEmpty();
		assertThat(profiled.profiles()).extracting((session) -> session.scenarios().getFirst().id())
			.containsExactly("webflux-c100", "webmvc-vt-c100", "webmvc-c100");
		assertThat(profiled.blocks()).isEqualTo(plan.blocks());
		Duration each = profiled.length().profile(profiled.profiles().getFirst());
		// Warm-up, rest, profile
		assertThat(each).isEqualTo(Duration.ofSeconds(5 * (4 + 1) + 1 + 20));
		assertThat(profiled.estimate().minus(plan.estimate())).isGreaterThan(each.multipliedBy(3));
	}

	@Test
	void variantsThatShareAProcessAreProfiledOneByOne() {
		Suite suite = Suites.named("delays").orElseThrow();
		RunPlan plan = RunPlan.of(suite, suite.scenarios(), settings(5, 1, Design.FRESH), null)
			.withProfiles(suite.scenarios());
		assertThat(plan.profiles()).extracting((session) -> session.variant().id())
			.hasSize((int) suite.scenarios()
				.stream()
				.map(Scenario::variant)
				.filter((variant) -> !variant.control())
				.distinct()
				.count())
			.doesNotHaveDuplicates();
	}

	@Test
	void whatAnEngineTakesToBeginALoadIsPartOfTheEstimate() {
		Suite suite = Suites.named("gateway").orElseThrow();
		RunPlan plan = gateway(5);
		RunPlan jmeter = RunPlan.of(suite, suite.scenarios(), settings(5, 1, Design.FRESH, "jmeter"), null);
		int warmUps = 5 * (int) plan.sessions().stream().filter((session) -> !session.variant().control()).count();
		// Each load takes 7 s to begin and to end
		assertThat(jmeter.estimate().minus(plan.estimate()))
			.isGreaterThanOrEqualTo(Duration.ofSeconds(7).multipliedBy(plan.measurements() + warmUps));
	}

	@Test
	void theLoadsOfASearchArePartOfTheEstimate() {
		Suite suite = Suites.named("capacity").orElseThrow();
		List<Scenario> one = suite.scenarios().subList(0, 1);
		Duration netty = RunPlan.of(suite, one, settings(5, 1, Design.FRESH), null).estimate();
		Duration jmeter = RunPlan.of(suite, one, settings(5, 1, Design.FRESH, "jmeter"), null).estimate();
		// 24 probes and 5 warm-ups that wait for 2 s, 4 measurements that wait for 10 s
		assertThat(jmeter.minus(netty)).isGreaterThanOrEqualTo(Duration.ofSeconds(7 + 2 + 1)
			.multipliedBy(24 + 5)
			.plus(Duration.ofSeconds(7 + 10 + 1).multipliedBy(4)));
	}

	private static RunPlan gateway(int cycles) {
		Suite suite = Suites.named("gateway").orElseThrow();
		return RunPlan.of(suite, suite.scenarios(), settings(cycles, 1, Design.FRESH), null);
	}

	private static RunPlan.Session gatewaySession(RunPlan plan) {
		return plan.sessions().stream().filter((session) -> !session.variant().control()).findFirst().orElseThrow();
	}

	private static Duration runUp(RunPlan plan, RunPlan.Block block) {
		List<Duration> both = block.sessions().stream().map((session) -> plan.runUp(session, true)).distinct().toList();
		assertThat(both).hasSize(1);
		return both.getFirst();
	}

	private static RunResults.Settings settings(int cycles, int blocks, Design design) {
		return settings(cycles, blocks, design, "netty");
	}

	private static RunResults.Settings settings(int cycles, int blocks, Design design, String engine) {
		return new RunResults.Settings(new RunResults.Warmup(Duration.ofSeconds(4), Duration.ofSeconds(1), cycles, 0.1),
				Duration.ofSeconds(1), blocks, design.isResident() ? 1 : blocks, "512m", Duration.ofSeconds(10), 1,
				false, Grouping.OWN, design, engine);
	}

	private static List<Tuple> duets(String suite) {
		List<Scenario> scenarios = Suites.named(suite).orElseThrow().scenarios();
		return RunPlan.duets(scenarios)
			.stream()
			.map((duet) -> tuple(duet.getFirst().id(), duet.getLast().id()))
			.toList();
	}

}
