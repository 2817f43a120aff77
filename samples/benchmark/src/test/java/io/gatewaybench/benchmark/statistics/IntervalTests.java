package io.gatewaybench.benchmark.statistics;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class IntervalTests {

	@Test
	void theQuantileIsThatOfTheTextbook() {
		assertThat(Interval.quantile(4, 0.95)).isCloseTo(2.776445, within(1e-6));
	}

	@Test
	void theEndsAreAsFarFromTheEstimateByTheirFactors() {
		Interval interval = Interval.ofLogarithms(Math.log(3), Math.log(2), 5);
		assertThat(interval.low()).isCloseTo(1.5, within(1e-12));
		assertThat(interval.high()).isCloseTo(6, within(1e-12));
		assertThat(interval.halfWidth()).isCloseTo(1, within(1e-12));
	}

	@Test
	void anIntervalContainsItsEnds() {
		Interval low = new Interval(1, 0.5, 1.5, 3);
		assertThat(low.contains(1.5)).isTrue();
		assertThat(low.contains(1.51)).isFalse();
	}

	@Test
	void fourTimesTheMeasurementsMakeHalfTheWidth() {
		Interval interval = new Interval(1.02, 1.02 / 1.08, 1.02 * 1.08, 2);
		assertThat(interval.halfWidth()).isCloseTo(0.08, within(1e-9));
		// log(1.08) / log(1.02) is 3.89, and its square 15.1
		assertThat(interval.samplesToExclude(1)).isEqualTo(31);
		assertThat(interval.samplesToExclude(1.0199999)).isEqualTo(1_000_000);
		assertThat(interval.samplesToExclude(1.02)).isEqualTo(1_000_000);
		assertThat(interval.samplesToExclude(10)).isEqualTo(3);
	}

}
