package io.gatewaybench.sim;

import java.util.stream.DoubleStream;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LatencyDistributionTests {

	private static final int SAMPLES = 200_000;

	@Test
	void fixedIsAlwaysTheSame() {
		assertThat(sample(new LatencyDistribution.Fixed(12.5)).distinct().toArray()).containsExactly(12.5);
	}

	@Test
	void uniformCoversItsRangeEvenly() {
		double[] samples = sample(new LatencyDistribution.Uniform(10, 30)).toArray();
		assertThat(DoubleStream.of(samples).allMatch((sample) -> sample >= 10.0 && sample <= 30.0)).isTrue();
		assertThat(mean(samples)).isCloseTo(20, within(0.1));
		assertThat(share(samples, 25)).isCloseTo(0.25, within(0.005));
	}

	@Test
	void uniformOfOnePointIsThatPoint() {
		assertThat(sample(new LatencyDistribution.Uniform(7, 7)).distinct().toArray()).containsExactly(7);
	}

	@Test
	void normalHasItsMoments() {
		double[] samples = sample(new LatencyDistribution.Normal(50, 5, 0)).toArray();
		assertThat(mean(samples)).isCloseTo(50, within(0.1));
		assertThat(stddev(samples)).isCloseTo(5, within(0.05));
	}

	@Test
	void normalIsClippedAtItsMinimum() {
		double[] samples = sample(new LatencyDistribution.Normal(10, 10, 8)).toArray();
		assertThat(DoubleStream.of(samples).min()).hasValue(8);
		assertThat(1 - share(samples, 8)).isCloseTo(0.4207, within(0.005));
	}

	@Test
	void logNormalHasItsMedianAndSigma() {
		double[] samples = sample(new LatencyDistribution.LogNormal(40, 0.5, 60_000)).toArray();
		assertThat(share(samples, 40)).isCloseTo(0.5, within(0.005));
		assertThat(share(samples, 40 * Math.exp(0.5))).isCloseTo(0.1587, within(0.005));
	}

	@Test
	void logNormalByMomentsHasThem() {
		double[] samples = sample(LatencyDistribution.LogNormal.ofMoments(70, 35, 60_000)).toArray();
		assertThat(mean(samples)).isCloseTo(70, Percentage.withPercentage(1));
		assertThat(stddev(samples)).isCloseTo(35, Percentage.withPercentage(2));
	}

	@Test
	void logNormalIsClippedAtItsMaximum() {
		double[] samples = sample(new LatencyDistribution.LogNormal(40, 1, 60)).toArray();
		assertThat(DoubleStream.of(samples).max()).hasValue(60);
	}

	@Test
	void quantilesAreHitAndInterpolated() {
		double[] samples = sample(
				LatencyDistribution.Quantiles.of(new double[][] { { 0, 10 }, { 0.5, 20 }, { 1, 100 } }))
			.toArray();
		assertThat(DoubleStream.of(samples).allMatch((sample) -> sample >= 10.0 && sample <= 100.0)).isTrue();
		assertThat(share(samples, 15)).isCloseTo(0.75, within(0.005));
		assertThat(share(samples, 20)).isCloseTo(0.5, within(0.005));
		assertThat(share(samples, 60)).isCloseTo(0.25, within(0.005));
	}

	@Test
	void heavyHasThePublishedMeanRangeAndTail() {
		double[] samples = published(Endpoint.HEAVY);
		assertThat(mean(samples)).isCloseTo(69.39, Percentage.withPercentage(1));
		assertThat(share(samples, 250)).isCloseTo(3.0 / 20, within(0.003));
		assertThat(DoubleStream.of(samples).min().orElseThrow()).isBetween(22.40, 23.0);
		assertThat(DoubleStream.of(samples).max().orElseThrow()).isBetween(315.0, 316.07);
	}

	@Test
	void dataHasThePublishedMeanAndRange() {
		double[] samples = published(Endpoint.DATA);
		assertThat(mean(samples)).isCloseTo(21.14, Percentage.withPercentage(0.5));
		assertThat(DoubleStream.of(samples).allMatch((sample) -> sample >= 15.77 && sample <= 30.85)).isTrue();
	}

	@Test
	void helloAndProcessTakeAboutTwentyMilliseconds() {
		assertThat(mean(published(Endpoint.HELLO))).isCloseTo(20, Percentage.withPercentage(1));
		assertThat(mean(published(Endpoint.PROCESS))).isCloseTo(20, Percentage.withPercentage(1));
	}

	@Test
	void theSameSeedAndUserGiveTheSameSequence() {
		assertThat(SeededRandom.of(1, "service-a-1").doubles(100).toArray())
			.containsExactly(SeededRandom.of(1, "service-a-1").doubles(100).toArray());
	}

	@Test
	void anotherSeedOrAnotherUserGivesAnotherSequence() {
		double first = SeededRandom.of(1, "service-a-1").nextDouble();
		assertThat(first).isNotEqualTo(SeededRandom.of(2, "service-a-1").nextDouble())
			.isNotEqualTo(SeededRandom.of(1, "service-a-2").nextDouble());
	}

	private static double[] published(Endpoint endpoint) {
		return sample(Profile.defaults().settings("service-a-1", endpoint).latency()).toArray();
	}

	private static DoubleStream sample(LatencyDistribution distribution) {
		SeededRandom random = new SeededRandom(42);
		return DoubleStream.generate(() -> distribution.sample(random)).limit(SAMPLES);
	}

	private static double mean(double[] samples) {
		return DoubleStream.of(samples).average().orElseThrow();
	}

	private static double stddev(double[] samples) {
		double mean = mean(samples);
		return Math
			.sqrt(DoubleStream.of(samples).map((sample) -> (sample - mean) * (sample - mean)).average().orElseThrow());
	}

	private static double share(double[] samples, double above) {
		return (double) DoubleStream.of(samples).filter((sample) -> sample > above).count() / samples.length;
	}

}
