package io.gatewaybench.benchmark.result;

import java.util.List;

import io.gatewaybench.benchmark.result.RunResults.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoverageTests {

	@Test
	void startsOfSeveralRunsArePooledAndShortRunsAreMadeOfThem() {
		RunResults run = SampleResults.of("pooled", Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", "WebMVC", 1), SampleResults.good("webflux-c16", "WebFlux", 2),
				SampleResults.good("webmvc-c16", "WebMVC", 2));
		assertThat(Coverage.of(List.of(run, run))).allSatisfy((coverage) -> {
			assertThat(coverage.comparison()).isEqualTo("webmvc-c16 / webflux-c16");
			assertThat(coverage.contained()).isEqualTo(1);
			assertThat(coverage.different()).isZero();
		}).extracting(Coverage::runs).containsExactly(4, 1000, 1000);
	}

}
