package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class ThresholdsTests {

	// Loads c16 and c100 of direct, webflux, webmvc-vt and webmvc
	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private static final List<Scenario> UNDER_C16 = chosen("c16");

	// A machine that gets slower and slower: only within blocks is WebMVC surely worse
	private static final RunResults RUN = run(cpu("webflux", 100, 200, 400, 800), cpu("webmvc", 120, 242, 478, 964));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "webmvc.cpu > 1.10 * webflux.cpu | FAILED", "webmvc.cpu >= 1.10 * webflux.cpu | FAILED",
					"webmvc.cpu > 1.30 * webflux.cpu | PASSED", "webmvc.cpu > 1.2025 * webflux.cpu | INCONCLUSIVE",
					"webmvc.cpu < 1.30 * webflux.cpu | FAILED", "webmvc.cpu <= 1.10 * webflux.cpu | PASSED",
					"webmvc.cpu / webflux.cpu > 110% | FAILED", "webmvc.cpu - webflux.cpu > 10us | INCONCLUSIVE",
					"webmvc.cpu - webflux.cpu - 0.2 * webflux.cpu > 20us | PASSED", "webflux.cpu > 5us | FAILED",
					"webflux.cpu > 100us | INCONCLUSIVE", "webflux.cpu > 10ms | PASSED" })
	void theIntervalWithinBlocksDecides(String condition, Outcome outcome) {
		assertThat(only(RUN, condition).outcome()).isEqualTo(outcome);
	}

	@Test
	void theRatioIsThatOfBothSidesAndTheDifferenceIsInItsUnit() {
		ThresholdResult ratio = only(RUN, "webmvc.cpu > 2 * webflux.cpu");
		assertThat(ratio.ratio().estimate()).isCloseTo(0.602, within(0.001));
		assertThat(ratio.ratio().samples()).isEqualTo(4);
		assertThat(ratio.difference()).isNull();
		ThresholdResult difference = only(run(cpu("webflux", 100, 200), cpu("webmvc", 150, 250)),
				"webmvc.cpu - webflux.cpu > 30us");
		assertThat(difference.ratio()).isNull();
		assertThat(difference.unit()).isEqualTo("ms");
		assertThat(difference.difference().estimate()).isCloseTo(0.02, within(1e-9));
		assertThat(difference.outcome()).isEqualTo(Outcome.FAILED);
	}

	@Test
	void aSingleValueIsJudgedByTheIntervalOfItsEstimate() {
		RunResults run = run(cpu("webflux", 100, 110, 120));
		double low = run.analysis()
			.estimates()
			.stream()
			.filter((estimate) -> estimate.metric() == Metric.CPU)
			.findFirst()
			.orElseThrow()
			.interval()
			.low();
		assertThat(only(run, "webflux.cpu > 50us").ratio().low()).isCloseTo(low / 50, within(1e-9));
	}

	@Test
	void aLimitThatIsReachedExactlyCountsAsTheRelationSays() {
		RunResults run = run(cpu("webflux", 100, 200), cpu("webmvc", 200, 400));
		assertThat(only(run, "webmvc.cpu > 2 * webflux.cpu").outcome()).isEqualTo(Outcome.PASSED);
		assertThat(only(run, "webmvc.cpu >= 2 * webflux.cpu").outcome()).isEqualTo(Outcome.FAILED);
	}

	@Test
	void oneBlockIsInconclusive() {
		ThresholdResult result = only(run(cpu("webflux", 100), cpu("webmvc", 900)), "webmvc.cpu > 2 * webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.ratio().estimate()).isCloseTo(4.5, within(1e-9));
		assertThat(result.reason()).contains("use --blocks 3 or more");
	}

	@Test
	void disturbedBlocksDoNotCountAndWithoutOthersItIsInconclusive() {
		List<ScenarioResult> mvc = cpu("webmvc", 200, 200, 9000);
		List<ScenarioResult> noisy = List.of(mvc.get(0), mvc.get(1), disturbed(mvc.get(2)));
		assertThat(only(run(cpu("webflux", 100, 100, 100), noisy), "webmvc.cpu > 3 * webflux.cpu").outcome())
			.isEqualTo(Outcome.PASSED);
		List<ScenarioResult> spoilt = mvc.stream().map(ThresholdsTests::disturbed).toList();
		ThresholdResult result = only(run(cpu("webflux", 100, 100, 100), spoilt), "webmvc.cpu > 3 * webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.reason()).isEqualTo("Something disturbed every measurement of webmvc.cpu.");
		// Unless noise does not spoil the metric
		assertThat(only(run(spoilt), "webmvc.throughput < 500/s").outcome()).isEqualTo(Outcome.FAILED);
	}

	@Test
	void blocksThatAreDisturbedInTurnsAreNoPairs() {
		List<ScenarioResult> flux = cpu("webflux", 100, 100);
		List<ScenarioResult> mvc = cpu("webmvc", 500, 500);
		ThresholdResult result = only(
				run(List.of(flux.get(0), disturbed(flux.get(1))), List.of(disturbed(mvc.get(0)), mvc.get(1))),
				"webmvc.cpu > webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.reason()).startsWith("There is no block in which nothing disturbed");
	}

	@Test
	void aValueThatIsMissingInABlockIsInconclusive() {
		List<ScenarioResult> flux = cpu("webflux", 100, 100, 100);
		ScenarioResult last = flux.get(2);
		ScenarioResult without = new ScenarioResult(last.id(), last.title(), last.variant(), false, null, last.load(),
				3, 3, last.startedAt(), last.seconds(), last.counts(), last.okPerSecond(), last.latency(), last.types(),
				last.series(), null, last.generator(), last.resources(), last.probed(), last.theoreticalMaximum(),
				last.verdict());
		ThresholdResult result = only(run(List.of(flux.get(0), flux.get(1), without)), "webflux.cpu > 1ms");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.reason()).isEqualTo("webflux.cpu has no value in block 3.");
		assertThat(only(run(), "webflux.cpu > 1ms").reason()).isEqualTo("webflux was not measured.");
	}

	@Test
	void aRunThatIsNotCompleteIsInconclusive() {
		for (Status status : List.of(Status.RUNNING, Status.INTERRUPTED, Status.FAILED)) {
			RunResults run = RUN.ended(status, null, RUN.startedAt());
			assertThat(only(run, "webmvc.cpu > webflux.cpu").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
			assertThat(only(run, "webmvc.cpu > webflux.cpu").reason()).isEqualTo("The run is not complete.");
		}
	}

	@Test
	void aThroughputOfNothingIsLessThanAnyLimit() {
		List<ScenarioResult> dead = Stream.of(1, 2, 3)
			.map((block) -> silent(cpu("webflux", 1, 1, 1).get(block - 1)))
			.toList();
		ThresholdResult result = only(run(dead), "webflux.throughput < 100/s");
		assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
		assertThat(result.difference().estimate()).isCloseTo(-100, within(1e-9));
		assertThat(result.unit()).isEqualTo("req/s");
		assertThat(only(run(dead), "100/s * 100/s / webflux.throughput > 1/s").reason())
			.isEqualTo("A side of it is no number in block 1, as it divides by 0.");
	}

	@Test
	void variantsOfDifferentDuetsAreComparedWithoutPairs() {
		List<ScenarioResult> mvc = cpu("webmvc", 1, 1, 1, 200, 210, 190).subList(3, 6);
		RunResults run = run(cpu("webflux", 100, 105, 95), mvc);
		ThresholdResult result = only(run, "webmvc.cpu > 1.5 * webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
		assertThat(result.ratio().estimate()).isCloseTo(1.334, within(0.001));
		assertThat(only(run, "webmvc.cpu - webflux.cpu > 1us").reason())
			.startsWith("Its variants are never measured in the same block");
		assertThat(only(run, "webmvc.cpu / webflux.cpu > 1").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
	}

	@Test
	void startsCountAndNotTheBlocksOfAStart() {
		List<ScenarioResult> flux = new ArrayList<>();
		for (ScenarioResult each : cpu("webflux", 100, 100, 100, 300, 300, 300)) {
			flux.add(started(each, (each.block() <= 3) ? 1 : 2));
		}
		// Six blocks would be sure, and the two starts are not
		assertThat(only(run(flux), "webflux.cpu > 90us").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(only(run(flux), "webflux.cpu > 90us").ratio().samples()).isEqualTo(2);
		assertThat(only(run(flux), "webflux.cpu - 1us > 90us").difference().samples()).isEqualTo(2);
	}

	@Test
	void thereIsAnAnswerForEveryLoadUnderWhichAllVariantsRun() {
		assertThat(Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, SUITE.scenarios()).results(RUN))
			.extracting(ThresholdResult::load, ThresholdResult::outcome)
			.containsExactly(tuple("c16", Outcome.FAILED), tuple("c100", Outcome.INCONCLUSIVE));
		List<Scenario> some = SUITE.scenarios()
			.stream()
			.filter((scenario) -> !scenario.id().equals("webmvc-c100"))
			.toList();
		assertThat(Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, some).results(RUN))
			.extracting(ThresholdResult::load)
			.containsExactly("c16");
	}

	@Test
	void aConditionOfASuiteMayNameWhatAUsualRunLeavesOut() {
		Suite suite = Suites.named("overhead").orElseThrow();
		Suite judged = new Suite(suite.name(), suite.title(), null, suite.components(), suite.design(),
				suite.fullDesign(), suite.scenarios(), suite.optionalScenarios(), suite.fullScenarios(),
				List.of(new Suite.FailIf("webflux-stock.cpu > 2 * webflux-all.cpu", "mine.yml:9: fail-if.0")));
		assertThat(Thresholds.of(List.of(), judged, suite.scenarios()).results(RUN)).singleElement()
			.satisfies((result) -> assertThat(result.reason()).isEqualTo("webflux-stock was not measured."));
	}

	@Test
	void whatWasNotChosenIsAMistakeOnTheCommandLineAndInconclusiveInASuite() {
		List<Scenario> flux = chosen("webflux-c16");
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, flux))
			.withMessageContaining("There is no variant 'webmvc' in this run; choose one of webflux.");
		Suite suite = new Suite(SUITE.name(), SUITE.title(), null, SUITE.components(), SUITE.design(),
				SUITE.fullDesign(), SUITE.scenarios(), SUITE.optionalScenarios(), SUITE.fullScenarios(),
				List.of(new Suite.FailIf("webmvc.cpu > webflux.cpu", "mine.yml:9: fail-if.0")));
		assertThat(Thresholds.of(List.of(), suite, flux).results(RUN)).singleElement().satisfies((result) -> {
			assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
			assertThat(result.load()).isEqualTo("c16");
			assertThat(result.reason()).isEqualTo("webmvc was not measured.");
		});
		List<Scenario> apart = SUITE.scenarios()
			.stream()
			.filter((scenario) -> List.of("webflux-c16", "webmvc-c100").contains(scenario.id()))
			.toList();
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, apart))
			.withMessageContaining("Its variants run under different loads");
	}

	@Test
	void theControlHasNoCpuTimeOfItsOwn() {
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> Thresholds.of(List.of("direct.cpu > 1ms"), SUITE, UNDER_C16))
			.withMessageContaining("There is no metric 'cpu' of direct; choose one of throughput");
		assertThat(Thresholds.of(List.of("direct.overhead-p99 > 1ms"), SUITE, UNDER_C16).results(RUN)).hasSize(1);
	}

	private static ThresholdResult only(RunResults run, String condition) {
		List<ThresholdResult> results = Thresholds.of(List.of(condition), SUITE, UNDER_C16).results(run);
		assertThat(results).hasSize(1);
		return results.getFirst();
	}

	private static List<Scenario> chosen(String part) {
		return SUITE.scenarios().stream().filter((scenario) -> scenario.id().endsWith(part)).toList();
	}

	@SafeVarargs
	private static RunResults run(List<ScenarioResult>... variants) {
		return SampleResults.of("A title", Status.COMPLETE,
				Stream.of(variants).flatMap(List::stream).toArray(ScenarioResult[]::new));
	}

	private static List<ScenarioResult> cpu(String variant, double... micros) {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (double each : micros) {
			blocks.add(SampleResults.good(variant + "-c16", variant, blocks.size() + 1, each));
		}
		return blocks;
	}

	private static ScenarioResult disturbed(ScenarioResult one) {
		return with(one, one.start(), one.okPerSecond(),
				new Verdict(false, List.of(Metric.THROUGHPUT), List.of("other programs took 30 %"), List.of()));
	}

	private static ScenarioResult silent(ScenarioResult one) {
		return with(one, one.start(), 0, one.verdict());
	}

	private static ScenarioResult started(ScenarioResult one, int start) {
		return with(one, start, one.okPerSecond(), one.verdict());
	}

	private static ScenarioResult with(ScenarioResult one, int start, double okPerSecond, Verdict verdict) {
		return new ScenarioResult(one.id(), one.title(), one.variant(), false, null, one.load(), one.block(), start,
				one.startedAt(), one.seconds(), one.counts(), okPerSecond, one.latency(), one.types(), one.series(),
				one.gateway(), one.generator(), one.resources(), one.probed(), one.theoreticalMaximum(), verdict);
	}

}
