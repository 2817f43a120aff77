package io.gatewaybench.benchmark.run;

import java.util.List;

import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suites;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RunPlanTests {

	@Test
	void withoutABaselineAVariantIsPairedWithTheFirstGatewayUnderTheSameLoad() {
		assertThat(duets("gateway")).containsExactly(tuple("webmvc-vt-c16", "webflux-c16"),
				tuple("webmvc-c16", "webflux-c16"), tuple("webmvc-vt-c100", "webflux-c100"),
				tuple("webmvc-c100", "webflux-c100"));
	}

	@Test
	void aVariantIsPairedWithTheBaselineThatItNames() {
		assertThat(duets("routes"))
			.contains(tuple("webflux-10000-last-c100", "webflux-1-c100"),
					tuple("webmvc-vt-800-last-c100", "webmvc-vt-800-first-c100"))
			.noneMatch((pair) -> pair.toList().contains("direct-c100"));
	}

	private static List<Tuple> duets(String suite) {
		List<Scenario> scenarios = Suites.named(suite).orElseThrow().scenarios();
		return RunPlan.duets(scenarios)
			.stream()
			.map((duet) -> tuple(duet.getFirst().id(), duet.getLast().id()))
			.toList();
	}

}
