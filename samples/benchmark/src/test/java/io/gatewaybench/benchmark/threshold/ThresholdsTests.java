package io.gatewaybench.benchmark.threshold;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.result.WarmupCurve;
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

	// A machine that gets slower and slower: only within rounds is WebMVC surely worse
	private static final RunResults RUN = run(cpu("webflux", 100, 200, 400, 800), cpu("webmvc", 120, 242, 478, 964));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "webmvc.cpu > 1.10 * webflux.cpu | FAILED", "webmvc.cpu >= 1.10 * webflux.cpu | FAILED",
					"webmvc.cpu > 1.30 * webflux.cpu | PASSED", "webmvc.cpu > 1.2025 * webflux.cpu | INCONCLUSIVE",
					"webmvc.cpu < 1.30 * webflux.cpu | FAILED", "webmvc.cpu <= 1.10 * webflux.cpu | PASSED",
					"webmvc.cpu > 110% * webflux.cpu | FAILED", "webmvc.c16.cpu > 1.10 * webflux.cpu | FAILED",
					"webflux.cpu > 5us | FAILED", "webflux.cpu > 283us | INCONCLUSIVE", "webflux.cpu > 10ms | PASSED" })
	void theIntervalWithinRoundsDecides(String condition, Outcome outcome) {
		assertThat(only(RUN, condition).outcome()).isEqualTo(outcome);
	}

	@Test
	void anOpenConditionSaysWhatWouldDecideIt() {
		assertThat(only(RUN, "webmvc.cpu > 1.19 * webflux.cpu").reason())
			.matches("It holds in a part of the 95 % confidence interval; --starts \\d+ could tell\\.");
		assertThat(only(RUN, "webmvc.cpu > 1.2025 * webflux.cpu").reason()).contains("so close that no run");
	}

	@Test
	void theRatioIsThatOfBothSidesAndItsSamplesAreTheStarts() {
		assertThat(only(RUN, "webmvc.cpu > 2 * webflux.cpu").ratio()).satisfies((ratio) -> {
			assertThat(ratio.estimate()).isCloseTo(0.602, within(0.001));
			assertThat(ratio.samples()).isEqualTo(4);
		});
	}

	@Test
	void figuresThatWereNeverMeasuredInTheSameRoundAreInconclusive() {
		List<ScenarioResult> later = cpu("webmvc", 1, 1, 200, 210).subList(2, 4);
		ThresholdResult result = only(run(cpu("webflux", 100, 105), later), "webmvc.cpu > webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.reason()).isEqualTo("Its figures were never measured in the same round.");
		assertThat(only(run(), "webflux.cpu > 1ms").reason()).isEqualTo(result.reason());
	}

	@Test
	void roundsInWhichAFigureIsMissingDoNotCount() {
		List<ScenarioResult> flux = cpu("webflux", 100, 100, 100);
		ScenarioResult without = SampleResults.with(flux.get(2), "gateway", null);
		assertThat(only(run(List.of(flux.get(0), flux.get(1), without)), "webflux.cpu > 1us").ratio().samples())
			.isEqualTo(2);
	}

	@Test
	void whatIsKnownAtTheEndOfAStartIsJudgedByStarts() {
		assertThat(only(RUN, "webflux.memory > 100MiB").outcome()).isEqualTo(Outcome.FAILED);
		assertThat(only(RUN, "webflux.memory > 100MiB").ratio().samples()).isEqualTo(4);
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
	void figuresOfAColdGatewayAreInconclusive() {
		RunResults run = RUN.with(List.of(new WarmupCurve("WebMVC", 1, List.of(), false, true)), List.of(), List.of(),
				List.of());
		ThresholdResult result = only(run, "webmvc.cpu > 1.10 * webflux.cpu");
		assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
		assertThat(result.reason()).isEqualTo("Compilers were still at work: WebMVC in start 1.");
	}

	@Test
	void thereIsAnAnswerForEveryLoadUnderWhichAllVariantsRun() {
		assertThat(Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, SUITE.scenarios()).results(RUN))
			.extracting(ThresholdResult::load, ThresholdResult::outcome)
			.containsExactly(tuple("c16", Outcome.FAILED), tuple("c100", Outcome.INCONCLUSIVE));
		assertThat(Thresholds.of(List.of("webmvc.c100.cpu > webflux.cpu"), SUITE, SUITE.scenarios()).results(RUN))
			.extracting(ThresholdResult::load)
			.containsExactly("c100");
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
		Suite judged = SampleResults.with(suite, "failIf",
				List.of(new Suite.FailIf("webflux-stock.cpu > 2 * webflux-all.cpu", "mine.yml:9: fail-if.0")));
		assertThat(Thresholds.of(List.of(), judged, suite.scenarios()).results(RUN)).singleElement()
			.satisfies((result) -> assertThat(result.reason())
				.isEqualTo("Its figures were never measured in the same round."));
	}

	@Test
	void whatWasNotChosenIsAMistakeOnTheCommandLineAndInconclusiveInASuite() {
		List<Scenario> flux = chosen("webflux-c16");
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> Thresholds.of(List.of("webmvc.cpu > webflux.cpu"), SUITE, flux))
			.withMessageContaining("There is no variant 'webmvc' in this run; choose one of webflux.");
		Suite suite = SampleResults.with(SUITE, "failIf",
				List.of(new Suite.FailIf("webmvc.cpu > webflux.cpu", "mine.yml:9: fail-if.0")));
		assertThat(Thresholds.of(List.of(), suite, flux).results(RUN)).singleElement().satisfies((result) -> {
			assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
			assertThat(result.load()).isEqualTo("c16");
			assertThat(result.reason()).isEqualTo("Its figures were never measured in the same round.");
		});
		Suite other = SampleResults.with(SUITE, "failIf",
				List.of(new Suite.FailIf("webflux.c100.cpu > 1ms", "mine.yml:9: fail-if.0")));
		assertThat(Thresholds.of(List.of(), other, flux).results(RUN)).singleElement()
			.satisfies((result) -> assertThat(result.load()).isEqualTo("c100"))
			.satisfies((result) -> assertThat(result.reason())
				.isEqualTo("Its figures were never measured in the same round."));
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
		List<ScenarioResult> starts = new ArrayList<>();
		for (double each : micros) {
			starts.add(SampleResults.good(variant + "-c16", variant, starts.size() + 1, each));
		}
		return starts;
	}

}
