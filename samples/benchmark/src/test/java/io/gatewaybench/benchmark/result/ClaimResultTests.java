package io.gatewaybench.benchmark.result;

import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.result.ClaimResult.Answer;
import io.gatewaybench.benchmark.statistics.PairedComparison;
import io.gatewaybench.benchmark.statistics.PairedComparison.Pair;
import io.gatewaybench.benchmark.suite.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimResultTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			less,  0.5   0.51  0.49,  AGREES
			less,  2     2.01  1.99,  CONTRADICTS
			less,  1     1.001 0.999, CONTRADICTS
			less,  0.5   2     0.9,   INCONCLUSIVE
			less,  0.5,               POINTS_THE_SAME_WAY
			less,  2,                 POINTS_ANOTHER_WAY
			less,  1.01,              POINTS_ANOTHER_WAY
			equal, 1     1.001 0.999, AGREES
			equal, 2     2.01  1.99,  CONTRADICTS
			equal, 1.01,              POINTS_THE_SAME_WAY
			more,  2     2.01  1.99,  AGREES
			more,  0.5   0.51  0.49,  CONTRADICTS
			""")
	void aClaimIsSetBesideWhatWasMeasured(String direction, String ratios, Answer answer) {
		List<Pair> pairs = List.of(ratios.split(" +"))
			.stream()
			.map((ratio) -> new Pair(Double.parseDouble(ratio), 1))
			.toList();
		assertThat(ClaimResult.of(claim(direction), PairedComparison.of(pairs)).answer()).isEqualTo(answer);
	}

	@Test
	void whatWasNotMeasuredIsUnknown() {
		assertThat(ClaimResult.of(claim("more"), null).answer()).isEqualTo(Answer.UNKNOWN);
	}

	@Test
	void aRunAnswersTheClaimsOfItsOwnScenarios() {
		RunResults results = SampleResults.of("A title", RunResults.Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", "WebFlux", 1), SampleResults.good("webmvc-c16", "WebMVC", 1));
		assertThat(results.claims()).extracting((each) -> each.claim().text()).containsExactly("Both are as fast.");
		assertThat(results.claims().getFirst().answer()).isEqualTo(Answer.POINTS_THE_SAME_WAY);
	}

	private static Claim claim(String direction) {
		return new Claim("A claim.", "a", "b", "throughput",
				Claim.Direction.valueOf(direction.toUpperCase(Locale.ROOT)), null);
	}

}
