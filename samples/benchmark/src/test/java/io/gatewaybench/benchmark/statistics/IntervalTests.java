package io.gatewaybench.benchmark.statistics;

import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class IntervalTests {

	@Test
	void theIntervalOfAMeanIsThatOfTheTextbook() {
		// 95 % of t with 4 degrees of freedom: 2.776445; standard deviation 1.581139
		Interval interval = Interval.ofGeometricMean(IntStream.rangeClosed(1, 5).mapToDouble(Math::exp).toArray());
		assertThat(Math.log(interval.estimate())).isCloseTo(3, within(1e-9));
		assertThat(Math.log(interval.low())).isCloseTo(3 - 1.963243, within(1e-5));
		assertThat(Math.log(interval.high())).isCloseTo(3 + 1.963243, within(1e-5));
		assertThat(interval.samples()).isEqualTo(5);
	}

	@Test
	void theGeometricMeanOfARatioAndItsInverseIsOne() {
		Interval interval = Interval.ofGeometricMean(0.5, 2);
		assertThat(interval.estimate()).isCloseTo(1, within(1e-12));
		assertThat(interval.low() * interval.high()).isCloseTo(1, within(1e-9));
	}

	@Test
	void oneMeasurementSaysNothingAboutNoise() {
		Interval interval = Interval.ofGeometricMean(7);
		assertThat(interval.estimate()).isCloseTo(7, within(1e-12));
		assertThat(interval.low()).isNull();
		assertThat(interval.contains(1_000)).isTrue();
	}

	@Test
	void anIntervalContainsItsEnds() {
		Interval low = new Interval(1, 0.5, 1.5, 3);
		assertThat(low.contains(1.5)).isTrue();
		assertThat(low.contains(1.51)).isFalse();
	}

	@Test
	void nineteenOfTwentyIntervalsContainTheTruth() {
		Random random = new Random(42);
		int repetitions = 10_000;
		int hits = 0;
		for (int i = 0; i < repetitions; i++) {
			double[] values = DoubleStream.generate(() -> Math.exp(random.nextGaussian() * 0.1)).limit(5).toArray();
			hits += Interval.ofGeometricMean(values).contains(1) ? 1 : 0;
		}
		// Five standard errors of a share of 95 %
		assertThat(hits / (double) repetitions).isCloseTo(0.95, within(0.011));
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
		assertThat(new Interval(1.2, null, null, 1).samplesToExclude(1)).isEqualTo(1_000_000);
	}

}
