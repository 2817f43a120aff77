package io.gatewaybench.benchmark.selftest;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.selftest.Outcome.Status;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeTests {

	@Test
	void findingsThatAllHoldPassAndShowWhatWasExpected() {
		Outcome outcome = new Outcome.Findings().near("P90", 0.95, 1, 0.1, " s")
			.atMost("CPU", 29, 30, " µs")
			.that(true, "%d failed", 0)
			.outcome();
		assertThat(outcome.status()).isEqualTo(Status.PASS);
		assertThat(outcome.text()).isEqualTo("P90 0.9500 s (1.000 ± 0.10), CPU 29.0 µs (at most 30.0), 0 failed");
	}

	@Test
	void oneFindingThatDoesNotHoldFailsAndIsMarked() {
		assertThat(new Outcome.Findings().near("P90", 1.11, 1, 0.1, " s").that(true, "rest").outcome())
			.isEqualTo(new Outcome(Status.FAIL, "NOT P90 1.110 s (1.000 ± 0.10), rest"));
		assertThat(new Outcome.Findings().atMost("CPU", 30.1, 30, " µs").outcome().status()).isEqualTo(Status.FAIL);
		assertThat(new Outcome.Findings().that(false, "never").outcome().status()).isEqualTo(Status.FAIL);
	}

	@Test
	void aFigureThatIsMissingFails() {
		assertThat(new Outcome.Findings().near("P90", Double.NaN, 1, 0.1, " s").outcome().status())
			.isEqualTo(Status.FAIL);
		assertThat(new Outcome.Findings().atMost("lag", Double.NaN, 1, " ms").outcome().status())
			.isEqualTo(Status.FAIL);
	}

}
