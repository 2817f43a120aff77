package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Suites;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RateSearchTests {

	private static final Duration LIMIT = Duration.ofMillis(100);

	private final List<Double> tried = new ArrayList<>();

	private final List<String> names = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(doubles = { 60, 499, 500, 501, 3_210 })
	void theHighestRateWithinTheLimitIsFound(double capacity) throws InterruptedException {
		assertThat(find(500, (rate) -> rate <= capacity, 0)).isLessThanOrEqualTo(capacity)
			.isCloseTo(capacity, within(0.1 * capacity));
	}

	/**
	 * The report reads them.
	 */
	@Test
	void whatASearchSendsHasItsNumberAndItsRateInItsName() throws InterruptedException {
		find(500, (rate) -> rate <= 1_000, 0);
		assertThat(this.names).startsWith("search 1 at 500/s", "search 2 at 1000/s", "search 3 at 2000/s");
	}

	@Test
	void aRateWithFailuresDoesNotHold() throws InterruptedException {
		assertThat(find(500, (rate) -> true, 1)).isLessThan(1);
	}

	@Test
	void aRateThatHeldByLuckIsLoweredUntilItHoldsAgain() throws InterruptedException {
		// Of all the rates above 1,000, only the first one of each search holds
		double found = find(1_600, (rate) -> rate <= 1_000 || this.tried.size() == 1, 0);
		assertThat(found).isLessThanOrEqualTo(1_000).isGreaterThan(900);
	}

	@Test
	void aStallOfTheMachineDoesNotEndASearch() throws InterruptedException {
		// Every third probe fails whatever its rate
		assertThat(find(500, (rate) -> rate <= 3_210 && this.tried.size() % 3 != 0, 0)).isCloseTo(3_210,
				within(0.15 * 3_210));
	}

	@Test
	void aSearchEndsWhereEveryRateHolds() throws InterruptedException {
		find(500, (rate) -> true, 0);
		assertThat(this.tried).hasSizeLessThanOrEqualTo(16).isSorted();
	}

	@Test
	void aMeasurementThatBreaksTheLimitIsMadeAgainAtALowerRate() {
		StageResult broken = new Target((rate) -> false, 0).run(load(1_100).measurement("measure", LIMIT));
		StageResult good = new Target((rate) -> true, 0).run(load(1_100).measurement("measure", LIMIT));
		assertThat(RateSearch.lower(load(1_100), broken, 1)).isCloseTo(1_000, within(0.1));
		assertThat(RateSearch.lower(load(1_100), broken, 3)).isCloseTo(1_000, within(0.1));
		// Told as it is
		assertThat(RateSearch.lower(load(1_100), broken, 4)).isNull();
		assertThat(RateSearch.lower(load(1_100), good, 1)).isNull();
		assertThat(RateSearch.lower(load(1_100).atRate(500, Arrivals.CONSTANT, 256), broken, 1)).isNull();
	}

	private double find(double first, DoublePredicate holds, int failures) throws InterruptedException {
		return new RateSearch(new Target(holds, failures), load(first), Duration.ZERO, Console.quiet()).find();
	}

	private static Load load(double rate) {
		Workload workload = Suites.named("gateway").orElseThrow().scenarios().getFirst().workload();
		return new Load(new Workload(Model.OPEN, workload.mix(), 256, Duration.ZERO), null, rate, Arrivals.CONSTANT,
				List.of(), null, LIMIT);
	}

	/**
	 * Answers within the limit as long as a rate holds.
	 */
	private final class Target implements LoadSession {

		private final DoublePredicate holds;

		private final int failures;

		Target(DoublePredicate holds, int failures) {
			this.holds = holds;
			this.failures = failures;
		}

		@Override
		public long pid() {
			return ProcessHandle.current().pid();
		}

		@Override
		public StageResult run(Stage stage) {
			RateSearchTests.this.tried.add(stage.rate());
			RateSearchTests.this.names.add(stage.name());
			long ok = 4_000;
			Histogram histogram = new Histogram(1_000, 120_000_000_000L, 3);
			histogram.recordValueWithCount(this.holds.test(stage.rate()) ? 99_000_000 : 101_000_000, ok);
			LatencyHistogram latency = LatencyHistogram.of(histogram);
			TypeResult type = new TypeResult("all", new Counts(ok + this.failures, ok, this.failures, 0, 0, 0, 0, 0),
					ok, Map.of(200, ok), List.of(), new LatencyViews(latency, latency, latency, latency), null);
			return new StageResult(stage.name(), stage.kind(), Instant.now(), 4, true, List.of(type), List.of(),
					new GeneratorStats(latency, 0.1, 0, 0, List.of()));
		}

		@Override
		public void close() {
		}

	}

}
