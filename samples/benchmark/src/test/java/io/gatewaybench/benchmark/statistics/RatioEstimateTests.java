package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.statistics.RatioEstimate.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RatioEstimateTests {

	private static final BetweenStarts KNOWN = new BetweenStarts(0.03, 10);

	private static final double NOISE = 0.09;

	private static final int RUNS = 4_000;

	@ParameterizedTest
	@CsvSource({ "1, 1, 8", "1, 2, 4", "1, 2, 6", "1, 3, 8", "1.1, 2, 8", "1.1, 3, 6", "1.1, 5, 4" })
	void theIntervalContainsTheTrueRatioInNinetyFivePercentOfTheRuns(double ratio, int starts, int rounds) {
		Random random = new Random(42);
		long right = IntStream.range(0, RUNS)
			.filter((run) -> estimate(pairs(random, ratio, starts, rounds)).contains(ratio))
			.count();
		assertThat(right / (double) RUNS).isBetween(0.93, 0.97);
	}

	/**
	 * What a machine does to slices: normal noise, and now and then much more. The
	 * variance between starts is as the prior says.
	 */
	private static List<Pair> pairs(Random random, double ratio, int starts, int rounds) {
		double sd = KNOWN.sd() * Math.sqrt(KNOWN.freedom() / chiSquare(random, (int) KNOWN.freedom()));
		List<Pair> pairs = new ArrayList<>();
		for (int start = 1; start <= starts; start++) {
			double ofStart = Math.log(ratio) + sd * random.nextGaussian();
			for (int round = 0; round < rounds; round++) {
				double outlier = (random.nextDouble() < 0.05) ? 3 * NOISE * random.nextGaussian() : 0;
				pairs.add(new Pair(start, ofStart + NOISE * random.nextGaussian() + outlier));
			}
		}
		return pairs;
	}

	private static double chiSquare(Random random, int freedom) {
		return IntStream.range(0, freedom).mapToDouble((i) -> Math.pow(random.nextGaussian(), 2)).sum();
	}

	@Test
	void aFewDisturbedSlicesDoNotMoveTheCentre() {
		List<Pair> pairs = new ArrayList<>();
		for (int round = 0; round < 9; round++) {
			pairs.add(new Pair(1, 0));
		}
		pairs.add(new Pair(1, Math.log(5)));
		assertThat(estimate(pairs).estimate()).isEqualTo(1);
		assertThat(RatioEstimate.of(pairs, KNOWN, false, Interval.CONFIDENCE).estimate()).isGreaterThan(1.1);
	}

	@Test
	void oneStartGivesAnIntervalThatHasWhatEarlierRunsKnowOfStarts() {
		Interval one = estimate(List.of(new Pair(1, 0.1), new Pair(1, 0.1), new Pair(1, 0.1)));
		assertThat(one.samples()).isEqualTo(1);
		assertThat(one.estimate()).isCloseTo(Math.exp(0.1), within(1e-12));
		assertThat(Math.log(one.high() / one.estimate()))
			.isCloseTo(KNOWN.sd() * Interval.quantile(KNOWN.freedom(), 0.95), within(1e-12));
	}

	@Test
	void oneSlicePerStartGivesAWiderIntervalThanSeveral() {
		List<Pair> single = List.of(new Pair(1, 0.01), new Pair(2, -0.01));
		List<Pair> several = List.of(new Pair(1, 0.01), new Pair(1, 0.01), new Pair(2, -0.01), new Pair(2, -0.01));
		assertThat(estimate(single).estimate()).isCloseTo(1, within(1e-12));
		assertThat(estimate(single).halfWidth()).isFinite().isGreaterThan(estimate(several).halfWidth());
		assertThat(estimate(single.subList(0, 1)).halfWidth()).isFinite();
	}

	@Test
	void startsThatDifferMoreThanEarlierOnesMakeTheIntervalWider() {
		assertThat(
				estimate(List.of(new Pair(1, 0.2), new Pair(1, 0.2), new Pair(2, -0.2), new Pair(2, -0.2))).halfWidth())
			.isGreaterThan(0.1);
	}

	@Test
	void moreConfidenceTakesAWiderInterval() {
		List<Pair> pairs = pairs(new Random(1), 1, 2, 6);
		assertThat(RatioEstimate.of(pairs, KNOWN, true, 0.99).halfWidth())
			.isGreaterThan(RatioEstimate.of(pairs, KNOWN, true, 0.95).halfWidth());
	}

	private static Interval estimate(List<Pair> pairs) {
		return RatioEstimate.of(pairs, KNOWN, true, Interval.CONFIDENCE);
	}

}
