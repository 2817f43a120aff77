package io.gatewaybench.benchmark.result;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;

import static org.assertj.core.api.Assertions.assertThat;
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
		assertThat(analysis.estimates()).extracting(Estimate::variant).containsOnly("WebMVC+VT", "WebMVC");
	}

	@Test
	void whatAGatewayAddsIsTheDifferenceToTheControl() {
		Analysis analysis = Analysis
			.of(List.of(SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(analysis.comparisons()).extracting(Comparison::metric).allMatch(Metric::isLatency);
		assertThat(comparison(analysis, Metric.SERVICE_P99).result().difference().estimate()).isEqualTo(30);
	}

	private static Comparison comparison(Analysis analysis, Metric metric) {
		return analysis.comparisons().stream().filter((each) -> each.metric() == metric).findFirst().orElseThrow();
	}

}
