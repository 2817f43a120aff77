package io.gatewaybench.benchmark.report;

import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OverviewTests {

	@Test
	void aGatewayIsJudgedByItsOverheadAndTheControlIsNamed() {
		Table table = overview(SampleResults.direct(1), SampleResults.good("webflux-c16", "WebFlux", 1));
		assertThat(table.head()).contains("overhead P50", "overhead P99");
		assertThat(table.note())
			.contains("Without a gateway: " + SampleResults.direct(1).title() + ".", "Closed model: a user sends")
			.doesNotContain("Open model", "A block");
	}

	@Test
	void aRateThatWasSearchedIsJudgedByTheLatencyOfItsLimit() {
		ScenarioResult found = SampleResults.highestRate("WebFlux", 1, 900);
		Table table = overview(found, SampleResults.highestRate("WebFlux", 2, 910));
		assertThat(table.head()).contains("response time P50", "response time P99").doesNotContain("overhead P99");
		assertThat(table.note()).contains("Open model: requests come at a rate", "A block has one measurement")
			.doesNotContain("Without a gateway", "Closed model");
	}

	private static Table overview(ScenarioResult... blocks) {
		return Overview.of(SampleResults.of("A title", Status.COMPLETE, 2, blocks));
	}

}
