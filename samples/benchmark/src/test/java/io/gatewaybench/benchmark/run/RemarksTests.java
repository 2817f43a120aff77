package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.topology.Running;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RemarksTests {

	private static final Scenario CLOSED = scenario("webflux-c16");

	private static final Scenario OPEN = open(400, Arrivals.CONSTANT);

	// 2,000 answers of 40 ms in 5 seconds on 16 connections, in the planned mix
	private final StageResult good = StubEngine.result(
			new LoadPlan("plan", URI.create("http://127.0.0.1:1"), CLOSED.workload(),
					new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(10)), 1),
			Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(5)));

	@Test
	void aSliceWithNothingAgainstItHasNoRemark() {
		assertThat(judge(evidence())).isEmpty();
		assertThat(judge(evidence().scenario(OPEN))).isEmpty();
	}

	@Test
	void requestsThatAreUnaccountedForAreTold() {
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
		Case useless = evidence().stage(with(this.good,
				this.good.types()
					.stream()
					.map((type) -> new TypeResult(type.type(), new Counts(10, 0, 10, 0, 0, 0, 0, 0), 0,
							Map.of(502, 10L), List.of(), type.latency(), null))
					.toList()));
		assertThat(failures(useless)).containsExactly("no response was successful");
		assertThat(judge(useless)).isEmpty();
	}

	@Test
	void throughputThatLittlesLawForbidsIsTold() {
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
	void iterationsThatWereNotAllSentAreTold() {
		assertThat(judge(evidence().scenario(iterations(16, 126)))).containsExactly(
				"2000 of 2016 requests were sent in time; allow more with max-duration, or send fewer with iterations");
	}

	@Test
	void requestsThatWaitForAConnectionOfTheGeneratorAreTold() {
		assertThat(judge(evidence().scenario(OPEN).queued(20))).isEmpty();
		assertThat(judge(evidence().scenario(OPEN).queued(21))).containsExactly(
				"1.1 % of the requests waited for one of the 256 connections; allow more with --connections");
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
	void aRateOfASearchThatDoesNotHoldInTheMeasurementIsTold() {
		assertThat(judge(evidence().scenario(withLimit(Duration.ofMillis(50))))).isEmpty();
		assertThat(judge(evidence().scenario(withLimit(Duration.ofMillis(30)))))
			.containsExactly("at the highest rate of the search, the P99 was 40 ms, more than the limit of 30 ms");
	}

	private static Scenario withLimit(Duration limit) {
		Load load = OPEN.load();
		return Scenario.of(OPEN.variant(),
				new Load(load.workload(), null, load.rate(), load.arrivals(), List.of(), null, limit));
	}

	@Test
	void moreThanTheBoundIsTold() {
		assertThat(judge(evidence().backendMs(50.0))).containsExactly(
				"125.0 % of the theoretical maximum was reached, which is impossible: the backends' figures are wrong");
	}

	@Test
	void aTargetWithoutABackendThatTellsItsLatencyCanBeMeasured() {
		assertThat(judge(evidence().backendMs(null))).isEmpty();
	}

	@Test
	void anAgentThatIsSlowOrLateIsTold() {
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
	void anAgentOfAClosedLoopThatSentFarLessThanTheOthersIsTold() {
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
	void aGeneratorThatIsLateMakesAnOpenSliceVoid() {
		assertThat(judge(evidence().scenario(OPEN).generator(0.1, 3)))
			.containsExactly("the load generator was late: 3.00 ms at its P99, more than 2.00 ms");
		assertThat(judge(evidence().generator(0.1, 3))).isEmpty();
	}

	@Test
	void aScheduleThatWasNotKeptMakesAnOpenSliceVoid() {
		assertThat(judge(evidence().scenario(open(410, Arrivals.CONSTANT))))
			.containsExactly("2000 requests were offered instead of 2050");
		assertThat(judge(evidence().scenario(open(410, Arrivals.POISSON)))).isEmpty();
	}

	private static Scenario open(double rate, Arrivals arrivals) {
		return Scenario.of(CLOSED.variant(), CLOSED.load().atRate(rate, arrivals, 256));
	}

	private static Scenario iterations(int users, int perUser) {
		Load load = CLOSED.load().on(users);
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

	private static List<String> judge(Case evidence) {
		String reason = Remarks.voidReason(evidence.played());
		List<String> all = new ArrayList<>(evidence.result().remarks());
		if (reason != null) {
			all.add(reason);
		}
		return all;
	}

	private static List<String> failures(Case evidence) {
		return evidence.result().failures();
	}

	private Case evidence() {
		return new Case(CLOSED, this.good);
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
	 * A slice that is good but for what a test changes.
	 */
	private record Case(Scenario scenario, StageResult stage) {

		Case scenario(Scenario other) {
			return new Case(other, this.stage);
		}

		Case stage(StageResult other) {
			return new Case(this.scenario, other);
		}

		Case backendMs(@Nullable Double mean) {
			return stage(SampleResults.with(this.stage, "types",
					this.stage.types()
						.stream()
						.map((type) -> SampleResults.with(type, "backendMeanMs", mean))
						.toList()));
		}

		Case queued(long requests) {
			return generator("queued", requests);
		}

		Case agents(AgentResult... agents) {
			return generator("agents", List.of(agents));
		}

		Case generator(double cpuSeconds, int lagMillis) {
			Histogram lag = new Histogram(1_000, 120_000_000_000L, 3);
			lag.recordValueWithCount(lagMillis * 1_000_000L, 2_000);
			return generator("cpuSeconds", cpuSeconds, "lag", LatencyHistogram.of(lag));
		}

		private Case generator(Object... namesAndValues) {
			return stage(SampleResults.with(this.stage, "generator",
					SampleResults.with(this.stage.generator(), namesAndValues)));
		}

		Played played() {
			return new Played(this.scenario, 1, this.scenario.load().measurement("measure", Duration.ofSeconds(5)),
					"stub", this.stage, new Resources(null, null, null, null, null, null), null);
		}

		ScenarioResult result() {
			Running running = new Running("The gateway", URI.create("http://127.0.0.1:1"), null, true, List.of(), 0, "",
					null, null);
			return StartResults.of(List.of(played()), 1, (any) -> new StartResults.Seen(running, null, null, null))
				.scenarios()
				.getFirst();
		}

	}

}
