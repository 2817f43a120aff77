package io.gatewaybench.benchmark.result;

import java.util.List;

import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunResultsTests {

	private static final Verdict CUT_SHORT = new Verdict(false, List.of(), List.of("cut short after 2.0 of 8 s"),
			List.of());

	private static final Verdict PARTLY_SOUND = new Verdict(false, List.of(Metric.CPU),
			List.of("other machines took 12 %", "the JIT compilers took 8 %"), List.of());

	@Test
	void ofTwoMeasurementsTheOneOfWhichMoreFiguresMayBeUsedCounts() {
		ScenarioResult partly = judged(PARTLY_SOUND);
		ScenarioResult good = SampleResults.good("webflux-c16", "WebFlux", 1);
		assertThat(counting(partly, judged(CUT_SHORT))).isEqualTo(partly);
		assertThat(counting(judged(CUT_SHORT), partly)).isEqualTo(partly);
		assertThat(counting(partly, good)).isEqualTo(good);
		assertThat(counting(good, partly)).isEqualTo(good);
	}

	private static ScenarioResult counting(ScenarioResult first, ScenarioResult second) {
		RunResults results = SampleResults.of("A title", Status.COMPLETE, 1, first, second);
		assertThat(results.repeated()).hasSize(1);
		assertThat(results.scenarios()).hasSize(1);
		return results.scenarios().getFirst();
	}

	private static ScenarioResult judged(Verdict verdict) {
		ScenarioResult good = SampleResults.good("webflux-c16", "WebFlux", 1);
		return new ScenarioResult(good.id(), good.title(), good.variant(), false, null, good.load(), 1, 1,
				good.startedAt(), good.seconds(), good.counts(), good.okPerSecond(), good.latency(), good.types(),
				good.series(), good.gateway(), good.generator(), good.resources(), good.probed(),
				good.theoreticalMaximum(), verdict);
	}

}
