package io.gatewaybench.benchmark.result;

import java.util.Locale;

import io.gatewaybench.benchmark.result.ClaimResult.Answer;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.suite.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimResultTests {

	@ParameterizedTest
	@CsvSource({ "less, 0.49, 0.51, AGREES", "less, 1.99, 2.01, CONTRADICTS", "less, 0.98, 1.001, OPEN",
			"equal, 0.92, 1.09, AGREES", "equal, 1.11, 1.2, CONTRADICTS", "equal, 0.8, 0.9, CONTRADICTS",
			"equal, 0.95, 1.2, OPEN", "more, 1.01, 1.02, AGREES", "more, 0.5, 0.99, CONTRADICTS",
			"more, 0.9, 1.1, OPEN" })
	void theIntervalAloneAnswersAClaim(String direction, double low, double high, Answer answer) {
		assertThat(ClaimResult.of(claim(direction), measured(new Interval(Math.sqrt(low * high), low, high, 3)), 0.1)
			.answer()).isEqualTo(answer);
	}

	@ParameterizedTest
	@CsvSource({ "less", "equal", "more" })
	void whatWasNotMeasuredIsUnknown(String direction) {
		assertThat(ClaimResult.of(claim(direction), null, 0.1).answer()).isEqualTo(Answer.UNKNOWN);
	}

	@Test
	void aRunAnswersTheClaimsOfItsOwnScenarios() {
		RunResults results = SampleResults.of("A title", RunResults.Status.COMPLETE,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1));
		assertThat(results.claims()).extracting((each) -> each.claim().text()).containsExactly("Both are as fast.");
		assertThat(results.claims().getFirst().answer()).isEqualTo(Answer.AGREES);
	}

	private static Claim claim(String direction) {
		return new Claim("A claim.", "a", "b", "throughput",
				Claim.Direction.valueOf(direction.toUpperCase(Locale.ROOT)), null);
	}

	private static Comparison measured(Interval ratio) {
		return new Comparison("c16", "A", "B", Metric.THROUGHPUT, "req/s", ratio, 8);
	}

}
