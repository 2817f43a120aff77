package io.gatewaybench.benchmark.report;

import java.util.Map;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MethodTests {

	private static final RunResults HERE = SampleResults.of("A title", Status.COMPLETE,
			SampleResults.good("webflux-c16", "WebFlux", 1));

	@Test
	void whatTheRunnerStartedOnItsMachineSharesItsCores() {
		assertThat(new Method(HERE).sentences())
			.anyMatch((sentence) -> sentence.startsWith("Client, gateway and backends share one machine"))
			.anyMatch((sentence) -> sentence.contains("control group of their own"))
			.anyMatch((sentence) -> sentence.startsWith("All gateways were up at the same time."));
	}

	@Test
	void whatRunsOnAnotherHostSharesNothing() {
		RunResults elsewhere = SampleResults.with(HERE, "environment",
				HERE.environment().with(Map.of("host gw", "Linux, 4 cores, clock +1 ms (±1 ms)"), Map.of()));
		assertThat(new Method(elsewhere).sentences()).noneMatch((sentence) -> sentence.contains("share one machine"))
			.noneMatch((sentence) -> sentence.contains("control group"))
			.anyMatch((sentence) -> sentence.startsWith("The runner did not start everything on its own machine."));
	}

}
