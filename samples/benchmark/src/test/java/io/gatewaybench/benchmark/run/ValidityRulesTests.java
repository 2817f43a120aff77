package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.AgentResult;
import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.GeneratorStats;
import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ProcessUse.GroupUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ValidityRulesTests {

	private static final Scenario CLOSED = scenario("webflux-c16");

	private static final Scenario OPEN = CLOSED.atRate(400, Arrivals.CONSTANT, 256);

	private static final ProcessUse USE = new ProcessUse(1, 1, 0, 0, 0, 0, 1, 1, Map.of());

	private static final MachineUse QUIET = new MachineUse(5, 0.4, 0.01, 0.04, 0, List.of());

	// 2,000 answers of 40 ms in 5 seconds on 16 connections, in the planned mix
	private final StageResult good = StubEngine.result(
			new LoadPlan("plan", URI.create("http://127.0.0.1:1"), CLOSED.workload(),
					new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(10)), 1),
			Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(5)));

	@Test
	void aMeasurementWithNothingAgainstItIsValid() {
		assertThat(judge(evidence())).isEmpty();
		assertThat(judge(evidence().scenario(OPEN))).isEmpty();
	}

	@Test
	void aMeasurementThatWasCutShortIsInvalid() {
		assertThat(judge(evidence().cutShort())).containsExactly("cut short after 5.0 of 5 s");
	}

	@Test
	void backendsThatEndedMakeItInvalidAndAGatewayThatEndedIsAResult() {
		assertThat(judge(evidence().alive(false))).containsExactly("the backends ended during the measurement");
		assertThat(failures(evidence().alive(false))).containsExactly("the gateway ended during the measurement");
	}

	@Test
	void requestsThatAreUnaccountedForMakeItInvalid() {
		assertThat(judge(evidence().stage(withFirst(new Counts(803, 800, 0, 0, 0, 0, 0, 0)))))
			.containsExactly("3 of 2003 requests are unaccounted for");
	}

	@Test
	void moreThanOneInAThousandLostIsAFailureOfTheGatewayAndAResult() {
		assertThat(failures(evidence().stage(withFirst(new Counts(800, 798, 0, 2, 0, 0, 0, 0))))).isEmpty();
		Case lossy = evidence().stage(withFirst(new Counts(800, 797, 1, 1, 0, 1, 0, 0)));
		assertThat(failures(lossy)).containsExactly("0.15 % of the requests failed, more than the limit of 0.1 %");
		assertThat(judge(lossy)).isEmpty();
	}

	@Test
	void aGatewayThatServesNothingIsAResultOnAnyMachine() {
		Case useless = evidence().machine(new MachineUse(5, 0.4, 0.5, 0.5, 0, List.of()))
			.stage(with(this.good,
					this.good.types()
						.stream()
						.map((type) -> new TypeResult(type.type(), new Counts(10, 0, 10, 0, 0, 0, 0, 0), 0,
								Map.of(502, 10L), List.of(), type.latency(), null))
						.toList()));
		assertThat(failures(useless)).containsExactly("no response was successful");
		assertThat(judge(useless)).isEmpty();
	}

	@Test
	void throughputThatLittlesLawForbidsMakesItInvalid() {
		assertThat(judge(evidence().scenario(scenario("webflux-c100")))).first()
			.isEqualTo("throughput x latency is 16.0, but there were 100 connections (Little's law)");
	}

	@Test
	void usersWhoLeaveBeforeTheOthersDoNotBreakLittlesLaw() {
		Case early = evidence().scenario(iterations(20, 100)).backendMs(50.0);
		assertThat(judge(early)).isEmpty();
		Case impossible = evidence().scenario(iterations(10, 200)).backendMs(25.0);
		assertThat(judge(impossible))
			.containsExactly("throughput x latency is 16.0, but there were 10 connections (Little's law)");
	}

	@Test
	void iterationsThatWereNotAllSentMakeItInvalid() {
		assertThat(judge(evidence().scenario(iterations(16, 126)))).containsExactly(
				"2000 of 2016 requests were sent in 600 s; allow more time with max-duration, or send fewer with iterations");
		assertThat(judge(evidence().scenario(iterations(16, 126)).cutShort()))
			.containsExactly("cut short after 5.0 of at most 600 s");
	}

	@Test
	void aMixThatIsOffMakesItInvalid() {
		assertThat(judge(evidence().stage(withFirst(new Counts(400, 400, 0, 0, 0, 0, 0, 0)))))
			.contains("heavy is 25.0 % of the requests instead of 40.0 %");
	}

	@Test
	void requestsThatWaitForAConnectionOfTheGeneratorMakeItInvalid() {
		assertThat(judge(evidence().scenario(OPEN).queued(20))).isEmpty();
		assertThat(judge(evidence().scenario(OPEN).queued(21))).containsExactly(
				"1.1 % of the requests waited for one of the 256 connections, more than 1 %; allow more with --connections");
	}

	@Test
	void whatTheGeneratorAddsCountsInTheResponseTimeOfASearchedRate() {
		Scenario searched = withLimit(Duration.ofMillis(50));
		assertThat(judge(evidence().scenario(searched).queued(2_000))).isEmpty();
		assertThat(judge(evidence().scenario(searched).generator(1, 2))).isEmpty();
		assertThat(judge(evidence().scenario(searched).generator(1, 3)))
			.containsExactly("the load generator was late: 3.00 ms at its P99, more than 2.50 ms");
	}

	@Test
	void aRateOfASearchThatDoesNotHoldInTheMeasurementMakesItInvalid() {
		assertThat(judge(evidence().scenario(withLimit(Duration.ofMillis(50))))).isEmpty();
		assertThat(judge(evidence().scenario(withLimit(Duration.ofMillis(30))))).containsExactly(
				"at 400 requests per second, the highest rate of the search, the P99 was 40 ms, more than the limit of 30 ms");
	}

	private static Scenario withLimit(Duration limit) {
		Load load = OPEN.load();
		return Scenario.of(OPEN.variant(),
				new Load(load.workload(), null, load.rate(), load.arrivals(), List.of(), null, limit));
	}

	@Test
	void moreThanTheBoundMakesItInvalid() {
		assertThat(judge(evidence().backendMs(50.0))).containsExactly(
				"125.0 % of the theoretical maximum was reached, which is impossible: the backends' figures are wrong");
	}

	@Test
	void aTargetWithFewerThreadsThanUsersIsBoundByItsThreads() {
		// 16 users and 20 ms: 800 per second, and half of it with 8 threads
		TheoreticalMaximum users = evidence().backendMs(20.0).build().theoreticalMaximum();
		TheoreticalMaximum threads = evidence().scenario(withThreads(8)).backendMs(20.0).build().theoreticalMaximum();
		assertThat(threads.requestsPerSecond()).isEqualTo(users.requestsPerSecond() / 2);
	}

	@Test
	void usersWhoPauseAreBoundByTheirPauses() {
		Workload users = new Workload(Model.CLOSED, CLOSED.workload().mix(), 16, Duration.ofMillis(180));
		Scenario pausing = Scenario.of(CLOSED.variant(), Load.closed(users));
		TheoreticalMaximum maximum = evidence().scenario(pausing).backendMs(20.0).build().theoreticalMaximum();
		// 16 users, each with a request every 200 ms
		assertThat(maximum.requestsPerSecond()).isCloseTo(80, within(1e-9));
	}

	private static Scenario withThreads(int threads) {
		Variant variant = CLOSED.variant();
		return Scenario.of(new Variant(variant.id(), variant.title(), variant.component(), variant.process(), threads,
				variant.prefixes(), variant.gatewayField(), variant.baseline()), CLOSED.load());
	}

	@Test
	void backendsThatTellTheirLatencyForSomeRequestsOnlyMakeItInvalid() {
		List<TypeResult> types = new ArrayList<>(this.good.types());
		TypeResult first = types.getFirst();
		types.set(0, new TypeResult(first.type(), first.counts(), first.okInWindow(), first.statuses(),
				first.failures(), first.latency(), null));
		assertThat(judge(evidence().stage(with(this.good, types)))).containsExactly(
				"the backends did not tell their latency for all types of requests, so the theoretical maximum is unknown");
	}

	@Test
	void aTargetWithoutABackendThatTellsItsLatencyCanBeMeasured() {
		assertThat(judge(evidence().backendMs(null))).isEmpty();
	}

	@Test
	void aControlWithNothingToWaitForMayTakeAllThatThereIs() {
		Case direct = evidence().scenario(scenario("direct-c16")).generator(5, 0).capacity(400.0);
		assertThat(judge(direct.backendMs(0.05))).isEmpty();
		assertThat(judge(direct.backendMs(40.0))).hasSize(1);
		assertThat(judge(evidence().generator(5, 0).backendMs(0.05))).hasSize(1);
	}

	@Test
	void noiseDoesNotSpoilAThroughputThatTheBackendsBound() {
		MachineUse noisy = new MachineUse(5, 0.4, 0.5, 0, 0, List.of());
		// 400 requests per second of 16 connections at 40 ms is all that is possible
		assertThat(verdict(evidence().machine(noisy)).sound()).containsExactly(Metric.THROUGHPUT, Metric.SERVICE_MEAN);
		assertThat(verdict(evidence().machine(noisy)).valid()).isFalse();
		assertThat(verdict(evidence().machine(noisy)).allows(Metric.THROUGHPUT)).isTrue();
		assertThat(verdict(evidence().machine(noisy)).allows(Metric.CPU)).isFalse();
		assertThat(verdict(evidence().machine(noisy).backendMs(38.0)).sound()).isEmpty();
		assertThat(verdict(evidence().machine(noisy).cutShort()).sound()).isEmpty();
		assertThat(verdict(evidence().machine(noisy).alive(false)).sound()).isEmpty();
	}

	@Test
	void backendsAndAGeneratorThatAreStillCompiledMakeItInvalid() {
		double all = 5.0 * Runtime.getRuntime().availableProcessors();
		assertThat(judge(evidence().jitOfOthers(0.025 * all))).isEmpty();
		assertThat(judge(evidence().jitOfOthers(0.035 * all)))
			.containsExactly("the JIT compilers of backends and generator took 7.0 % of the CPU time, more than 5 %");
	}

	@Test
	void aGatewayThatIsNotSteadyMakesItInvalid() {
		assertThat(judge(evidence().steady(false))).containsExactly(
				"the gateway was not steady: its CPU time per request still changed, or its code was still being "
						+ "compiled, at the end of the warm-up");
		assertThat(judge(evidence().steady(null)))
			.containsExactly("the warm-up had less than the 3 cycles that can tell whether the gateway is steady");
		assertThat(judge(evidence().steady(null).scenario(scenario("direct-c16")))).isEmpty();
	}

	@Test
	void aGatewayThatIsStillBeingCompiledMakesItInvalid() {
		double all = 5.0 * Runtime.getRuntime().availableProcessors();
		assertThat(judge(evidence().jit(all, 0.05 * all))).isEmpty();
		assertThat(judge(evidence().jit(all, 0.06 * all)))
			.containsExactly("the JIT compilers had 6.0 % of the gateway's CPU time, more than 5.0 %");
	}

	@Test
	void theLastCompilationsUnderLittleLoadSpoilNothing() {
		double all = 5.0 * Runtime.getRuntime().availableProcessors();
		assertThat(judge(evidence().jit(0.05 * all, 0.01 * all))).isEmpty();
		assertThat(judge(evidence().jit(0.05 * all, 0.011 * all)))
			.containsExactly("the JIT compilers had 22.0 % of the gateway's CPU time, more than 5.0 %");
		int more = 2 * Runtime.getRuntime().availableProcessors();
		assertThat(judge(evidence().jit(0.05 * all, 0.011 * all).cores(more))).isEmpty();
	}

	@Test
	void cpuTimePerRequestIsWithoutTheCompilers() {
		ScenarioResult result = evidence().jit(2, 0.4)
			.build()
			.result(new RunPlan.Session(1, 1, CLOSED.variant(), "webflux", List.of(CLOSED), false), "stub",
					new Running("The gateway", URI.create("http://127.0.0.1:1"), null, true, List.of(), 0, "", null,
							null),
					null, List.of());
		assertThat(Metric.CPU.of(result)).isCloseTo(1.6e6 / 2_000, within(1e-6));
	}

	@Test
	void aNoisyMachineMakesItInvalid() {
		assertThat(judge(evidence().machine(new MachineUse(5, 0.4, 0.021, 0.3, 0, List.of())))).containsExactly(
				"other programs took 30.0 % of the CPU time, more than 5 %",
				"other machines on the same host took 2.1 % of the CPU time, more than 2 %");
		assertThat(judge(evidence().machine(new MachineUse(5, 0.4, 0, 0.051, 0, List.of()))))
			.containsExactly("other programs took 5.1 % of the CPU time, more than 5 %");
	}

	@Test
	void stealInAFewSecondsDoesNotSpoilMediansAndCpuTime() {
		Case rare = evidence().machine(new MachineUse(5, 0.4, 0.03, 0, 0, List.of(0.0, 0.15, 0.0, 0.0, 0.0)));
		assertThat(judge(rare))
			.containsExactly("other machines on the same host took 3.0 % of the CPU time, more than 2 %");
		assertThat(verdict(rare).sound()).contains(Metric.CPU, Metric.SERVICE_P50)
			.doesNotContain(Metric.SERVICE_P99, Metric.SLO_P99);
		Case always = evidence().machine(new MachineUse(5, 0.4, 0.03, 0, 0, List.of(0.03, 0.03, 0.03, 0.03, 0.03)));
		assertThat(verdict(always).sound()).doesNotContain(Metric.CPU, Metric.SERVICE_P50, Metric.SERVICE_P99);
	}

	@Test
	void oneSecondOfStealSpoilsTheHighPercentilesOnly() {
		assertThat(judge(evidence().machine(new MachineUse(5, 0.4, 0.02, 0, 0, List.of(0.0, 0.1, 0.0, 0.0, 0.0)))))
			.isEmpty();
		Case second = evidence().machine(new MachineUse(5, 0.4, 0.02, 0, 0, List.of(0.0, 0.11, 0.0, 0.0, 0.0)));
		assertThat(judge(second))
			.containsExactly("other machines on the same host took 11 % of the CPU time in one second, more than 10 %");
		assertThat(Arrays.stream(Metric.values()).filter((metric) -> !verdict(second).allows(metric)))
			.containsExactly(Metric.SERVICE_P99, Metric.OVERHEAD_P99, Metric.SLO_P99);
	}

	@Test
	void aGeneratorOrBackendsAtTheirLimitMakeItInvalid() {
		assertThat(judge(evidence().capacity(1_199.0))).containsExactly(
				"without a gateway, generator and backends do 1199 requests per second, less than 3 times the measured throughput");
		assertThat(judge(evidence().capacity(null))).isEmpty();
		assertThat(judge(evidence().generator(4.1, 0))).containsExactly(
				"the load generator used 82 % of a core, more than 80 %, so it may have limited the result");
	}

	@Test
	void anAgentThatIsSlowOrLateMakesItInvalid() {
		AgentResult good = agent("a:1099", 1_000, 1_000.0, 100, 0);
		assertThat(judge(evidence().agents(good, agent("b:1099", 960, 1_000.0, 300, -200)))).isEmpty();
		assertThat(judge(evidence().agents(good, agent("b:1099", 940, 1_000.0, 100, 0))))
			.containsExactly("the agent b:1099 sent 94 % of its part of the requests");
		assertThat(judge(evidence().agents(good, agent("b:1099", 1_000, 1_000.0, 100, 1_990))))
			.containsExactly("the clock of the agent b:1099 is 2.0 s ahead");
		assertThat(judge(evidence().agents(good, agent("b:1099", 1_000, 1_000.0, 100, -1_990))))
			.containsExactly("the clock of the agent b:1099 is 2.0 s behind");
		assertThat(judge(evidence().agents(good, agent("b:1099", 1_000, 1_000.0, 600, 0))))
			.containsExactly("the agent b:1099 began 0.5 s later than the first one");
	}

	@Test
	void anAgentOfAClosedLoopThatSentFarLessThanTheOthersMakesItInvalid() {
		AgentResult good = agent("a:1099", 1_000, null, 0, 0);
		assertThat(judge(evidence().agents(good, agent("b:1099", 400, null, 0, 0)))).isEmpty();
		assertThat(judge(evidence().agents(good, agent("b:1099", 300, null, 0, 0))))
			.containsExactly("the agent b:1099 sent 46 % of its part of the requests");
	}

	@Test
	void agentsHaveAsManyThreadsAsTheyNeed() {
		assertThat(judge(evidence().generator(9, 0).agents(agent("a:1099", 1_000, null, 0, 0)))).isEmpty();
	}

	private static AgentResult agent(String name, long sent, @Nullable Double planned, long firstMs, long clockMs) {
		return new AgentResult(name, sent, sent, planned, LatencyHistogram.empty().summary(), firstMs, clockMs);
	}

	@Test
	void aGeneratorThatIsLateMakesAnOpenMeasurementInvalid() {
		assertThat(judge(evidence().scenario(OPEN).generator(0.1, 3)))
			.containsExactly("the load generator was late: 3.00 ms at its P99, more than 2.00 ms");
		assertThat(judge(evidence().generator(0.1, 3))).isEmpty();
	}

	@Test
	void aScheduleThatWasNotKeptMakesAnOpenMeasurementInvalid() {
		assertThat(judge(evidence().scenario(CLOSED.atRate(410, Arrivals.CONSTANT, 256))))
			.containsExactly("2000 requests were offered instead of 2050");
		assertThat(judge(evidence().scenario(CLOSED.atRate(410, Arrivals.POISSON, 256)))).isEmpty();
	}

	private static Scenario iterations(int users, int perUser) {
		Load load = CLOSED.on(users).load();
		return Scenario.of(CLOSED.variant(), new Load(load.workload(), null, 0, load.arrivals(), List.of(),
				new Iterations(perUser, Duration.ofMinutes(10)), null));
	}

	private static Scenario scenario(String id) {
		return Suites.all()
			.getFirst()
			.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().equals(id))
			.findFirst()
			.orElseThrow();
	}

	private static Verdict verdict(Case evidence) {
		return ValidityRules.verdict(evidence.build());
	}

	private static List<String> judge(Case evidence) {
		return ValidityRules.verdict(evidence.build()).reasons();
	}

	private static List<String> failures(Case evidence) {
		return ValidityRules.verdict(evidence.build()).failures();
	}

	private Case evidence() {
		return new Case(this.good);
	}

	private StageResult withFirst(Counts counts) {
		List<TypeResult> types = new ArrayList<>(this.good.types());
		TypeResult first = types.getFirst();
		types.set(0, new TypeResult(first.type(), counts, first.okInWindow(), first.statuses(), first.failures(),
				first.latency(), first.backendMeanMs()));
		return with(this.good, types);
	}

	private static StageResult with(StageResult stage, List<TypeResult> types) {
		return new StageResult(stage.stage(), stage.kind(), stage.start(), stage.seconds(), stage.complete(), types,
				stage.series(), stage.generator());
	}

	/**
	 * Builds evidence that is good but for what a test changes.
	 */
	private static final class Case {

		private Scenario scenario = CLOSED;

		private StageResult stage;

		private boolean alive = true;

		private int cores = Runtime.getRuntime().availableProcessors();

		private MachineUse machine = QUIET;

		private Boolean steady = true;

		private ProcessUse gateway = USE;

		private ProcessUse others = USE;

		private Double capacity = 1_200.0;

		Case(StageResult stage) {
			this.stage = stage;
		}

		Case scenario(Scenario other) {
			this.scenario = other;
			return this;
		}

		Case stage(StageResult other) {
			this.stage = other;
			return this;
		}

		Case cutShort() {
			return stage(new StageResult(this.stage.stage(), this.stage.kind(), this.stage.start(),
					this.stage.seconds(), false, this.stage.types(), this.stage.series(), this.stage.generator()));
		}

		Case alive(boolean value) {
			this.alive = value;
			return this;
		}

		Case machine(MachineUse use) {
			this.machine = use;
			return this;
		}

		Case steady(Boolean value) {
			this.steady = value;
			return this;
		}

		Case cores(int number) {
			this.cores = number;
			return this;
		}

		Case jit(double all, double compilers) {
			this.gateway = compiling(all, compilers);
			return this;
		}

		Case jitOfOthers(double seconds) {
			this.others = compiling(2, seconds);
			return this;
		}

		private static ProcessUse compiling(double all, double compilers) {
			return new ProcessUse(all, 0, 0, 0, 0, 0, 1, 1, Map.of(ThreadGroup.JIT, new GroupUse(1, compilers, 0, 0)));
		}

		Case capacity(Double perSecond) {
			this.capacity = perSecond;
			return this;
		}

		Case backendMs(Double mean) {
			return stage(with(this.stage,
					this.stage.types()
						.stream()
						.map((type) -> new TypeResult(type.type(), type.counts(), type.okInWindow(), type.statuses(),
								type.failures(), type.latency(), mean))
						.toList()));
		}

		Case queued(long requests) {
			GeneratorStats stats = this.stage.generator();
			return stage(new StageResult(this.stage.stage(), this.stage.kind(), this.stage.start(),
					this.stage.seconds(), true, this.stage.types(), this.stage.series(), new GeneratorStats(stats.lag(),
							stats.cpuSeconds(), stats.connectionsOpened(), stats.reconnects(), requests, 1)));
		}

		Case agents(AgentResult... agents) {
			GeneratorStats stats = this.stage.generator();
			return stage(new StageResult(this.stage.stage(), this.stage.kind(), this.stage.start(),
					this.stage.seconds(), true, this.stage.types(), this.stage.series(), new GeneratorStats(stats.lag(),
							stats.cpuSeconds(), stats.connectionsOpened(), stats.reconnects(), 0, 0, List.of(agents))));
		}

		Case generator(double cpuSeconds, int lagMillis) {
			Histogram lag = new Histogram(1_000, 120_000_000_000L, 3);
			lag.recordValueWithCount(lagMillis * 1_000_000L, 2_000);
			return stage(new StageResult(this.stage.stage(), this.stage.kind(), this.stage.start(),
					this.stage.seconds(), true, this.stage.types(), this.stage.series(),
					new GeneratorStats(LatencyHistogram.of(lag), cpuSeconds, 16, 0, 0, 0)));
		}

		MeasurementContext build() {
			return new MeasurementContext(this.scenario,
					this.scenario.load().measurement("measure", Duration.ofSeconds(5)), this.stage, this.alive,
					this.cores, null, this.alive,
					new Resources(this.gateway, this.others, this.others, USE, null, this.machine, null), this.steady,
					0.05, this.capacity);
		}

	}

}
