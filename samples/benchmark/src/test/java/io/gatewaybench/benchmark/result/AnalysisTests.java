package io.gatewaybench.benchmark.result;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.statistics.RatioEstimate;
import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class AnalysisTests {

	private static final MainQuestion QUESTION = new MainQuestion(Metric.CPU, "c16", 0.1);

	@Test
	void ratiosAreTakenWithinRounds() {
		List<Slice> slices = new ArrayList<>();
		for (int round = 1; round <= 6; round++) {
			slices.add(slice("webmvc-c16", 1, round, 120.0 * round, 100.0));
			slices.add(slice("webflux-c16", 1, round, 100.0 * round, 100.0));
		}
		Comparison cpu = comparison(Analysis.of(
				List.of(SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1)),
				slices, QUESTION), Metric.CPU);
		assertThat(cpu.baseline()).isEqualTo("WebFlux");
		assertThat(cpu.ratio().estimate()).isCloseTo(1.2, within(1e-9));
		assertThat(cpu.rounds()).isEqualTo(6);
	}

	@Test
	void aSliceWhoseOtherHalfIsMissingIsNoPair() {
		List<Slice> slices = List.of(slice("a", 1, 1, 100.0, 10.0), slice("b", 1, 1, 200.0, 20.0),
				slice("a", 1, 2, 100.0, 10.0), slice("b", 2, 2, 200.0, 20.0), slice("a", 3, 1, 100.0, null),
				slice("b", 3, 1, 100.0, 10.0), slice("a", 4, 1, null, 10.0), slice("b", 4, 1, 100.0, 10.0));
		assertThat(RatioEstimate.pairs(Analysis.values(List.of(), slices, "b", Metric.CPU),
				Analysis.values(List.of(), slices, "a", Metric.CPU)))
			.containsExactly(new Pair(1, Math.log(2)), new Pair(3, 0));
	}

	@Test
	void theAnswersOfTheMainQuestionAreRightTogether() {
		List<ScenarioResult> two = List.of(SampleResults.good("a-c16", "A", 1, 100),
				SampleResults.good("b-c16", "B", 1, 110));
		List<ScenarioResult> three = List.of(two.get(0), two.get(1), SampleResults.good("c-c16", "C", 1, 110));
		Analysis alone = analysis(two);
		Analysis together = analysis(three);
		assertThat(together.answers(QUESTION)).extracting(Comparison::variant).containsExactly("B", "C");
		assertThat(together.answers(QUESTION).getFirst().ratio().halfWidth())
			.isGreaterThan(alone.answers(QUESTION).getFirst().ratio().halfWidth());
		assertThat(comparison(together, Metric.THROUGHPUT).ratio())
			.isEqualTo(comparison(alone, Metric.THROUGHPUT).ratio());
	}

	@Test
	void whatIsKnownAtTheEndOfAStartIsComparedByStarts() {
		ScenarioResult b = SampleResults.good("b-c16", "B", 1);
		Analysis analysis = analysis(List.of(SampleResults.good("a-c16", "A", 1), SampleResults.good("a-c16", "A", 2),
				SampleResults.with(b, "gateway", SampleResults.with(b.gateway(), "liveHeapBytes", 120L << 20)),
				// Nobody looked
				SampleResults.with(b, "start", 2, "gateway", SampleResults.with(b.gateway(), "liveHeapBytes", null))));
		assertThat(comparison(analysis, Metric.HEAP)).satisfies((heap) -> {
			assertThat(heap.ratio().estimate()).isCloseTo(2, within(1e-9));
			assertThat(heap.rounds()).isEqualTo(1);
		});
	}

	@Test
	void aVariantIsComparedWithTheBaselineItNames() {
		ScenarioResult named = SampleResults.with(SampleResults.good("last-c16", "Last", 1, 120), "baseline", "First");
		ScenarioResult other = SampleResults.good("other-c16", "Other", 1, 500);
		ScenarioResult first = SampleResults.good("first-c16", "First", 1, 100);
		assertThat(analysis(List.of(other, first, named)).answers(QUESTION))
			.extracting(Comparison::variant, Comparison::baseline)
			.containsExactly(tuple("First", "Other"), tuple("Last", "First"));
		// Nobody else takes its place
		assertThat(analysis(List.of(other, named)).comparisons()).isEmpty();
	}

	@Test
	void otherProgramsMakeTheIntervalsWiderOfWhatDoesNotSettleAtOnce() {
		List<ScenarioResult> results = List.of(SampleResults.good("a-c16", "A", 1, 100),
				SampleResults.good("b-c16", "B", 1, 120));
		Analysis quiet = analysis(results);
		Analysis busy = Analysis.of(results,
				SampleResults.slices(results)
					.stream()
					.map((slice) -> SampleResults.with(slice, "foreign", 0.6))
					.toList(),
				QUESTION);
		assertThat(comparison(busy, Metric.CPU).ratio().estimate())
			.isEqualTo(comparison(quiet, Metric.CPU).ratio().estimate());
		assertThat(comparison(busy, Metric.CPU).ratio().halfWidth())
			.isGreaterThan(3 * comparison(quiet, Metric.CPU).ratio().halfWidth());
		assertThat(comparison(busy, Metric.ALLOCATION)).isEqualTo(comparison(quiet, Metric.ALLOCATION));
	}

	@Test
	void theControlIsNobodysBaseline() {
		Analysis analysis = analysis(List.of(SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(analysis.comparisons()).isEmpty();
		assertThat(analysis.estimates()).filteredOn((estimate) -> estimate.metric() == Metric.OVERHEAD_P50)
			.extracting(Estimate::value)
			.satisfiesExactly((direct) -> assertThat(direct).isCloseTo(0.1, within(1e-9)),
					(gateway) -> assertThat(gateway).isCloseTo(0.5, within(1e-9)));
	}

	@Test
	void anEstimateIsTheGeometricMeanOfTheStarts() {
		assertThat(analysis(List.of(SampleResults.good("a-c16", "A", 1, 100), SampleResults.good("a-c16", "A", 2, 400)))
			.estimates()).filteredOn((estimate) -> estimate.metric() == Metric.CPU)
			.singleElement()
			.satisfies((cpu) -> assertThat(cpu.value()).isCloseTo(200, within(1e-9)));
	}

	private static Analysis analysis(List<ScenarioResult> results) {
		return Analysis.of(results, SampleResults.slices(results), QUESTION);
	}

	private static Slice slice(String scenario, int start, int round, @Nullable Double cpu, @Nullable Double others) {
		Map<Metric, Double> figures = new EnumMap<>(Metric.class);
		figures.put(Metric.THROUGHPUT, 100.0);
		if (cpu != null) {
			figures.put(Metric.CPU, cpu);
		}
		return new Slice(scenario, start, round, Instant.EPOCH, figures, others, 0, 0, 0);
	}

	private static Comparison comparison(Analysis analysis, Metric metric) {
		return analysis.comparisons().stream().filter((each) -> each.metric() == metric).findFirst().orElseThrow();
	}

}
