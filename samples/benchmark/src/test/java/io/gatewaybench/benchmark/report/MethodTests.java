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
			.anyMatch((sentence) -> sentence.startsWith("Every measurement begins with a clean heap"));
	}

	@Test
	void whatRunsOnAnotherHostSharesNothing() {
		RunResults elsewhere = new RunResults(HERE.schemaVersion(), HERE.suite(), HERE.title(), HERE.study(),
				HERE.status(), HERE.failure(), HERE.startedAt(), HERE.finishedAt(), HERE.settings(),
				HERE.environment().with(Map.of("host gw", "Linux, 4 cores, clock +1 ms (±1 ms)")), HERE.planned(),
				HERE.capacity(), HERE.warmups(), HERE.scenarios(), HERE.repeated(), HERE.analysis(), HERE.thresholds());
		assertThat(new Method(elsewhere).sentences()).noneMatch((sentence) -> sentence.contains("share one machine"))
			.noneMatch((sentence) -> sentence.contains("control group"))
			.anyMatch((sentence) -> sentence.startsWith("The runner did not start everything on its own machine."));
	}

}
