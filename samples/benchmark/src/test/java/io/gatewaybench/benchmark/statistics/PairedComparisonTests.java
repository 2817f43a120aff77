package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
		assertThat(comparison.difference().estimate()).isCloseTo(12, within(0.1));
	}

	@Test
	void anIntervalThatContainsOneIsNoDifference() {
		assertThat(compare(new Pair(150, 100), new Pair(80, 100), new Pair(120, 100)).effect())
			.isEqualTo(Effect.NO_DETECTABLE_DIFFERENCE);
	}

	@Test
	void lessThanThreePercentIsNoDifferenceHoweverCertain() {
		assertThat(compare(new Pair(102, 100), new Pair(204.001, 200), new Pair(102.001, 100)).effect())
			.isEqualTo(Effect.NO_DETECTABLE_DIFFERENCE);
		assertThat(compare(new Pair(96, 100), new Pair(192.001, 200), new Pair(96.001, 100)).effect())
			.isEqualTo(Effect.LESS);
	}

	@Test
	void oneBlockSaysNothing() {
		assertThat(compare(new Pair(2, 1)).effect()).isEqualTo(Effect.UNKNOWN);
	}

	@Test
	void aRatioToNothingIsUnknownAndItsDifferenceIsNot() {
		PairedComparison comparison = compare(new Pair(2, 0), new Pair(3, 0));
		assertThat(comparison.ratio()).isNull();
		assertThat(comparison.effect()).isEqualTo(Effect.UNKNOWN);
		assertThat(comparison.difference().estimate()).isEqualTo(2.5);
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
