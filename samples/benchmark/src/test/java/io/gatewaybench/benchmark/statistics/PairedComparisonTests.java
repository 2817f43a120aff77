package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

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
		return new PairedComparison(new Interval(1.2, 1.1, 1.3, 5), chance, Effect.MORE);
	}

	@Test
	void whatOneStartDiffersFromTheNextIsPartOfTheInterval() {
		List<Pair> first = List.of(new Pair(90, 100), new Pair(91, 100), new Pair(89, 100));
		List<Pair> second = List.of(new Pair(110, 100), new Pair(111, 100), new Pair(109, 100));
		assertThat(PairedComparison.of(Map.of(1, first)).effect()).isEqualTo(Effect.LESS);
		PairedComparison both = PairedComparison.of(Map.of(1, first, 2, second));
		assertThat(both.effect()).isEqualTo(Effect.INCONCLUSIVE);
		assertThat(both.ratio().samples()).isEqualTo(2);
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
