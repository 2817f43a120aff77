package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatewaybench.benchmark.statistics.PairedComparison.Effect;
import io.gatewaybench.benchmark.statistics.PairedComparison.Pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class PairedComparisonTests {

	@Test
	void whatHappensToBothOfABlockCancelsOut() {
		PairedComparison comparison = compare(new Pair(110, 100), new Pair(221, 200), new Pair(55, 50));
		assertThat(comparison.ratio().estimate()).isCloseTo(1.1, within(0.01));
		assertThat(comparison.effect()).isEqualTo(Effect.MORE);
	}

	@Test
	void anIntervalThatContainsOneIsInconclusive() {
		assertThat(compare(new Pair(150, 100), new Pair(80, 100), new Pair(120, 100)).effect())
			.isEqualTo(Effect.INCONCLUSIVE);
	}

	@Test
	void anIntervalWithinThreePercentIsEquivalentHoweverCertainTheDifference() {
		assertThat(compare(new Pair(102, 100), new Pair(204.001, 200), new Pair(102.001, 100)).effect())
			.isEqualTo(Effect.EQUIVALENT);
		assertThat(compare(new Pair(96, 100), new Pair(192.001, 200), new Pair(96.001, 100)).effect())
			.isEqualTo(Effect.LESS);
	}

	@Test
	void aDifferenceUnderThreePercentIsNotClaimed() {
		PairedComparison small = compare(new Pair(102, 100), new Pair(102.9, 100), new Pair(103.5, 100));
		assertThat(small.chance()).isLessThan(0.05);
		assertThat(small.effect()).isEqualTo(Effect.INCONCLUSIVE);
	}

	@Test
	void theChanceIsThatOfAPairedTTest() {
		// Logarithms 0.1, 0.2, 0.3: t is 3.4641 with two degrees of freedom
		double chance = compare(new Pair(Math.exp(0.1), 1), new Pair(Math.exp(0.2), 1), new Pair(Math.exp(0.3), 1))
			.chance();
		assertThat(chance).isCloseTo(0.0742, within(0.0001));
		assertThat(compare(new Pair(2, 2), new Pair(3, 3)).chance()).isEqualTo(1);
		assertThat(compare(new Pair(4, 2), new Pair(6, 3)).chance()).isEqualTo(0);
	}

	@Test
	void manyComparisonsMakeEachOfThemHarder() {
		List<PairedComparison> alone = List.of(withChance(0.01), withChance(0.04), withChance(0.03), withChance(0.005));
		// 4 x 0.005, 3 x 0.01, 2 x 0.03, and no less for the next: max(0.06, 1 x 0.04)
		assertThat(PairedComparison.corrected(alone)).extracting(PairedComparison::chance)
			.usingElementComparator((one, other) -> (Math.abs(one - other) < 1e-9) ? 0 : 1)
			.containsExactly(0.03, 0.06, 0.06, 0.02);
		assertThat(PairedComparison.corrected(alone)).extracting(PairedComparison::effect)
			.containsExactly(Effect.MORE, Effect.INCONCLUSIVE, Effect.INCONCLUSIVE, Effect.MORE);
		assertThat(PairedComparison.corrected(List.of(compare(new Pair(2, 1))))).extracting(PairedComparison::effect)
			.containsExactly(Effect.UNKNOWN);
	}

	private static PairedComparison withChance(double chance) {
		return new PairedComparison(new Interval(1.2, 1.1, 1.3, 5), chance, PairedComparison.SMALLEST_EFFECT,
				Effect.MORE);
	}

	@Test
	void whatOneStartDiffersFromTheNextIsPartOfTheInterval() {
		List<Pair> first = List.of(new Pair(90, 100), new Pair(91, 100), new Pair(89, 100));
		List<Pair> second = List.of(new Pair(110, 100), new Pair(111, 100), new Pair(109, 100));
		assertThat(PairedComparison.of(Map.of(1, first)).ratio().high()).isLessThan(0.95);
		PairedComparison both = PairedComparison.of(Map.of(1, first, 2, second));
		assertThat(both.effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(both.ratio().samples()).isEqualTo(2);
	}

	@Test
	void oneStartClaimsNoDifferenceUnderAFifthAndNoEquivalence() {
		assertThat(oneStart(0.82).effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(oneStart(0.78).effect()).isEqualTo(Effect.LESS);
		assertThat(oneStart(1.18).effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(oneStart(1.22).effect()).isEqualTo(Effect.MORE);
		assertThat(oneStart(1).effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(PairedComparison
			.ofIndependent(List.of(List.of(111.0, 110.0, 109.0)), List.of(List.of(100.0), List.of(101.0)))
			.effect()).isEqualTo(Effect.INCONCLUSIVE);
	}

	@Test
	void aDifferenceThatOneStartCantShowIsToldFromNoise() {
		assertThat(oneStart(0.9).tooSmallForOneStart()).isTrue();
		// From 0.74 to 0.90, and from 0.6 to 1.4
		assertThat(oneStart(0.75, 0.82, 0.88).tooSmallForOneStart()).isTrue();
		assertThat(oneStart(0.8, 1, 1.2).tooSmallForOneStart()).isFalse();
		assertThat(oneStart(0.7).tooSmallForOneStart()).isFalse();
		assertThat(compare(new Pair(90, 100), new Pair(91, 100), new Pair(92, 100)).tooSmallForOneStart()).isFalse();
	}

	private static PairedComparison oneStart(double... ratios) {
		return PairedComparison.of(Map.of(1, DoubleStream.of(ratios).mapToObj((ratio) -> new Pair(ratio, 1)).toList()));
	}

	private static PairedComparison oneStart(double ratio) {
		return PairedComparison.of(Map.of(1,
				List.of(new Pair(100.1 * ratio, 100), new Pair(100 * ratio, 100.1), new Pair(100 * ratio, 100))));
	}

	@Test
	void whatIsNoPairIsComparedByTheTestOfWelch() {
		// Means 0.5 and 0.2 of logarithms, standard errors 0.1 / sqrt(3) and 0.2 /
		// sqrt(3)
		PairedComparison comparison = independent(List.of(Math.exp(0.4), Math.exp(0.5), Math.exp(0.6)),
				List.of(1.0, Math.exp(0.2), Math.exp(0.4)));
		// t is 2.3238 with 2.9412 degrees of freedom, whose 95 % are 3.2188
		assertThat(comparison.chance()).isCloseTo(0.1045, within(0.0001));
		assertThat(Math.log(comparison.ratio().low())).isCloseTo(0.3 - 0.41554, within(0.0001));
		assertThat(Math.log(comparison.ratio().high())).isCloseTo(0.3 + 0.41554, within(0.0001));
		assertThat(comparison.effect()).isEqualTo(Effect.INCONCLUSIVE);
	}

	@Test
	void withoutPairsTheNoiseOfBothCounts() {
		List<Double> noisy = List.of(100.0, 200.0, 50.0);
		assertThat(independent(noisy, noisy).ratio().estimate()).isEqualTo(1);
		assertThat(independent(noisy, noisy).effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(independent(List.of(50.0, 50.0), List.of(100.0, 100.0)).effect()).isEqualTo(Effect.LESS);
		assertThat(independent(List.of(100.0, 100.0), List.of(100.0, 100.0)).chance()).isEqualTo(1);
	}

	@Test
	void oneBlockOfEitherSaysNothing() {
		assertThat(independent(List.of(50.0), List.of(100.0, 101.0, 102.0)).effect()).isEqualTo(Effect.UNKNOWN);
		assertThat(independent(List.of(50.0, 51.0), List.of(100.0)).ratio().low()).isNull();
		assertThat(independent(List.of(0.0, 51.0), List.of(100.0, 100.0)).ratio()).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 5 })
	void nineteenOfTwentyIntervalsWithoutPairsContainTheTruth(int blocks) {
		Random random = new Random(42);
		int repetitions = 10_000;
		int hits = 0;
		for (int i = 0; i < repetitions; i++) {
			hits += independent(values(random, blocks, 0.1), values(random, blocks, 0.05)).ratio().contains(1) ? 1 : 0;
		}
		// Welch's degrees of freedom are an approximation
		assertThat(hits / (double) repetitions).isCloseTo(0.95, within(0.02));
	}

	private static List<Double> values(Random random, int count, double noise) {
		return DoubleStream.generate(() -> Math.exp(random.nextGaussian() * noise)).limit(count).boxed().toList();
	}

	private static PairedComparison independent(List<Double> variant, List<Double> baseline) {
		return PairedComparison.ofIndependent(List.of(variant), List.of(baseline));
	}

	@Test
	void oneBlockSaysNothing() {
		assertThat(compare(new Pair(2, 1)).effect()).isEqualTo(Effect.UNKNOWN);
	}

	@Test
	void aRatioToNothingIsUnknown() {
		PairedComparison comparison = compare(new Pair(2, 0), new Pair(3, 0));
		assertThat(comparison.ratio()).isNull();
		assertThat(comparison.effect()).isEqualTo(Effect.UNKNOWN);
	}

	@Test
	void noPairIsNoComparison() {
		assertThat(PairedComparison.of(List.of())).isNull();
	}

	@Test
	void aBlockInWhichOneIsMissingIsLeftOut() {
		assertThat(
				Pair.of(new ArrayList<>(Arrays.asList(1.0, null, 3.0)), new ArrayList<>(Arrays.asList(4.0, 5.0, null))))
			.containsExactly(new Pair(1, 4));
	}

	private static PairedComparison compare(Pair... pairs) {
		PairedComparison comparison = PairedComparison.of(List.of(pairs));
		assertThat(comparison).isNotNull();
		return comparison;
	}

}
