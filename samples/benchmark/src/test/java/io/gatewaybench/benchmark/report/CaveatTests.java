package io.gatewaybench.benchmark.report;

import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CaveatTests {

	@Test
	void anInterruptedRunSaysHowFarItCame() {
		assertThat(Caveat
			.of(SampleResults.of("A title", Status.INTERRUPTED, 3, SampleResults.good("webflux-c16", "WebFlux", 1))))
			.isEqualTo("The run was interrupted; 1 of 6 measurements are in this report.");
		assertThat(Caveat.of(SampleResults.of("A title", Status.FAILED, 1)))
			.isEqualTo("The run failed (The gateway fell over; see x.log); 0 of 2 measurements are in this report.");
	}

	@Test
	void whatWasDisturbedInEveryBlockIsNamedWithTheReason() {
		assertThat(Caveat.of(SampleResults.of("A title", Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.lossy("webmvc-c16", "WebMVC", 1))))
			.startsWith(
					"WebMVC, 16 conn.: something other than the gateway disturbed every measurement. In the first block, ")
			.contains("other programs took 30.0 % of the CPU time, more than 5 %");
	}

	@Test
	void oneBlockHasNoInterval() {
		assertThat(Caveat.of(SampleResults.of("A title", Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1))))
			.startsWith("One undisturbed block: there is no interval");
	}

	@Test
	void withoutAControlTheOverheadIsNotThatOfTheGatewayAlone() {
		assertThat(Caveat.of(SampleResults.of("A title", Status.COMPLETE, 2,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1),
				SampleResults.good("webflux-c16", "WebFlux", 2), SampleResults.good("webmvc-c16", "WebMVC", 2))))
			.startsWith("There is no control without a gateway");
	}

	@Test
	void withAControlWhatLimitsMostIsTheNumberOfBlocks() {
		assertThat(Caveat
			.of(SampleResults.of("A title", Status.COMPLETE, 2, SampleResults.direct(1), SampleResults.direct(2),
					SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1),
					SampleResults.good("webflux-c16", "WebFlux", 2), SampleResults.good("webmvc-c16", "WebMVC", 2))))
			.startsWith("2 blocks:")
			.contains("12.6 times as wide");
	}

}
