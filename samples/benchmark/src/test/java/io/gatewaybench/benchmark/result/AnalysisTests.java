package io.gatewaybench.benchmark.result;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class AnalysisTests {

	@Test
	void ratiosAreTakenWithinBlocks() {
		Comparison cpu = comparison(Analysis.of(List.of(SampleResults.good("webflux-c16", "WebFlux", 1, 100),
				SampleResults.good("webflux-c16", "WebFlux", 2, 300),
				SampleResults.good("webmvc-c16", "WebMVC", 2, 360),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 120))), Metric.CPU);
		assertThat(cpu.baseline()).isEqualTo("WebFlux");
		assertThat(cpu.result().ratio().estimate()).isCloseTo(1.2, within(1e-9));
		assertThat(cpu.result().effect()).isEqualTo(Effect.MORE);
	}

	@Test
	void aBlockWhoseOtherHalfIsInvalidIsNotUsed() {
		Analysis analysis = Analysis.of(List.of(SampleResults.lossy("webflux-c16", "WebFlux", 1),
				SampleResults.good("webflux-c16", "WebFlux", 2, 100),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 500),
				SampleResults.good("webmvc-c16", "WebMVC", 2, 110)));
		assertThat(comparison(analysis, Metric.CPU).result().ratio().samples()).isEqualTo(1);
		assertThat(comparison(analysis, Metric.CPU).result().ratio().estimate()).isCloseTo(1.1, within(1e-9));
		assertThat(analysis.estimates()).filteredOn((estimate) -> estimate.metric() == Metric.CPU)
			.extracting((estimate) -> estimate.interval().samples())
			.containsExactly(1, 2);
	}

	@Test
	void aBaselineWithoutAnyValidMeasurementIsNotReplacedByAnother() {
		Analysis analysis = Analysis.of(List.of(SampleResults.lossy("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-vt-c16", "WebMVC+VT", 1, 500),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 110)));
		assertThat(analysis.comparisons()).isEmpty();
		assertThat(analysis.estimates()).filteredOn((estimate) -> estimate.metric() == Metric.THROUGHPUT)
			.extracting(Estimate::variant, Estimate::disturbed)
			.containsExactly(tuple("WebFlux", true), tuple("WebMVC+VT", false), tuple("WebMVC", false));
	}

	@Test
	void aMetricThatNoiseDoesNotSpoilIsComparedAlsoWhereOthersAreNot() {
		ScenarioResult good = SampleResults.good("b-c16", "B", 1, 120);
		ScenarioResult noisy = new ScenarioResult(good.id(), good.title(), good.variant(), false, null, good.load(), 1,
				1, good.startedAt(), good.seconds(), good.counts(), good.okPerSecond(), good.latency(), good.types(),
				good.series(), good.gateway(), good.generator(), good.resources(), good.probed(),
				good.theoreticalMaximum(),
				new Verdict(false, List.of(Metric.THROUGHPUT), List.of("other programs took 30 %"), List.of()));
		Analysis analysis = Analysis.of(List.of(SampleResults.good("a-c16", "A", 1, 100), noisy));
		assertThat(analysis.comparisons()).extracting(Comparison::metric).containsExactly(Metric.THROUGHPUT);
		assertThat(analysis.estimates()).filteredOn((estimate) -> estimate.variant().equals("B"))
			.allSatisfy(
					(estimate) -> assertThat(estimate.disturbed()).isEqualTo(estimate.metric() != Metric.THROUGHPUT));
	}

	@Test
	void aVariantIsComparedWithTheBaselineItNames() {
		ScenarioResult last = SampleResults.good("last-c16", "Last", 1, 120);
		ScenarioResult named = new ScenarioResult(last.id(), last.title(), last.variant(), false, "First", last.load(),
				last.block(), last.start(), last.startedAt(), last.seconds(), last.counts(), last.okPerSecond(),
				last.latency(), last.types(), last.series(), last.gateway(), last.generator(), last.resources(),
				last.probed(), last.theoreticalMaximum(), last.verdict());
		ScenarioResult other = SampleResults.good("other-c16", "Other", 1, 500);
		ScenarioResult first = SampleResults.good("first-c16", "First", 1, 100);
		Comparison comparison = Analysis.of(List.of(other, first, named))
			.comparisons()
			.stream()
			.filter((each) -> each.metric() == Metric.CPU && each.variant().equals("Last"))
			.findFirst()
			.orElseThrow();
		assertThat(comparison.baseline()).isEqualTo("First");
		assertThat(comparison.result().ratio().estimate()).isCloseTo(1.2, within(1e-9));
		// Nobody else takes its place
		assertThat(Analysis.of(List.of(other, named)).comparisons()).isEmpty();
	}

	@Test
	void blocksOfTwoRunsAreNoPairs() {
		List<ScenarioResult> run = List.of(SampleResults.good("a-c16", "A", 1, 100),
				SampleResults.good("a-c16", "A", 2, 200), SampleResults.good("a-c16", "A", 3, 50));
		Comparison cpu = Analysis.across(run, run)
			.stream()
			.filter((each) -> each.metric() == Metric.CPU)
			.findFirst()
			.orElseThrow();
		assertThat(cpu.result().ratio().estimate()).isCloseTo(1, within(1e-9));
		assertThat(cpu.result().effect()).isEqualTo(Effect.INCONCLUSIVE);
	}

	@Test
	void scenariosThatOneRunHasNotAndDisturbedFiguresAreNotComparedAcrossRuns() {
		ScenarioResult good = SampleResults.good("a-c16", "A", 1, 100);
		assertThat(Analysis.across(List.of(good), List.of(SampleResults.good("b-c16", "B", 1, 100)))).isEmpty();
		assertThat(Analysis.across(List.of(good), List.of(SampleResults.lossy("a-c16", "A", 1)))).isEmpty();
	}

	@Test
	void theControlIsNobodysBaseline() {
		Analysis analysis = Analysis
			.of(List.of(SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(analysis.comparisons()).isEmpty();
		assertThat(analysis.estimates()).filteredOn((estimate) -> estimate.metric() == Metric.OVERHEAD_P50)
			.extracting((estimate) -> estimate.interval().estimate())
			.satisfiesExactly((direct) -> assertThat(direct).isCloseTo(0.1, within(1e-9)),
					(gateway) -> assertThat(gateway).isCloseTo(0.5, within(1e-9)));
	}

	private static Comparison comparison(Analysis analysis, Metric metric) {
		return analysis.comparisons().stream().filter((each) -> each.metric() == metric).findFirst().orElseThrow();
	}

}
