package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Two variants over the blocks in which both were measured. Within a block both saw the
 * same machine, so its noise cancels out in the ratio, where it would drown the
 * difference of two means.
 *
 * @param ratio geometric mean of variant / baseline, {@code null} if a value is not above
 * 0
 * @param difference mean of variant - baseline
 * @param effect what can be said
 * @see <a href="https://doi.org/10.1145/3030207.3030229">Abedi and Brecht, Conducting
 * repeatable experiments in highly variable cloud computing environments (ICPE 2017)</a>
 */
public record PairedComparison(@Nullable Interval ratio, Interval difference, Effect effect) {

	/**
	 * Differences below this part are not claimed, however narrow the interval: the order
	 * of code in memory alone makes as much.
	 * @see <a href="https://doi.org/10.1145/1508244.1508275">Mytkowicz et al., Producing
	 * wrong data without doing anything obviously wrong (ASPLOS 2009)</a>
	 */
	public static final double SMALLEST_EFFECT = 0.03;

	/**
	 * What can be said about a variant.
	 */
	public enum Effect {

		/**
		 * It has less than the baseline.
		 */
		LESS,

		/**
		 * It has more than the baseline.
		 */
		MORE,

		/**
		 * The interval of the ratio contains 1, or the effect is under
		 * {@link PairedComparison#SMALLEST_EFFECT}.
		 */
		NO_DETECTABLE_DIFFERENCE,

		/**
		 * One block only, which says nothing about noise.
		 */
		UNKNOWN

	}

	/**
	 * Compares.
	 * @param pairs one per block
	 * @return the comparison, {@code null} without a pair
	 */
	public static @Nullable PairedComparison of(List<Pair> pairs) {
		if (pairs.isEmpty()) {
			return null;
		}
		Interval difference = Interval
			.ofMean(pairs.stream().mapToDouble((pair) -> pair.variant() - pair.baseline()).toArray());
		boolean positive = pairs.stream().allMatch((pair) -> pair.variant() > 0 && pair.baseline() > 0);
		Interval ratio = positive ? Interval
			.ofGeometricMean(pairs.stream().mapToDouble((pair) -> pair.variant() / pair.baseline()).toArray()) : null;
		return new PairedComparison(ratio, difference, effect(ratio));
	}

	private static Effect effect(@Nullable Interval ratio) {
		if (ratio == null || ratio.samples() < 2) {
			return Effect.UNKNOWN;
		}
		if (ratio.contains(1) || Math.abs(ratio.estimate() - 1) < SMALLEST_EFFECT) {
			return Effect.NO_DETECTABLE_DIFFERENCE;
		}
		return (ratio.estimate() < 1) ? Effect.LESS : Effect.MORE;
	}

	/**
	 * The same figure of two variants in one block.
	 *
	 * @param variant that of the variant
	 * @param baseline that of what it is compared with
	 */
	public record Pair(double variant, double baseline) {

		/**
		 * Pairs values by position and leaves out where one is missing.
		 * @param variant values by block
		 * @param baseline values by block
		 * @return the pairs
		 */
		public static List<Pair> of(List<@Nullable Double> variant, List<@Nullable Double> baseline) {
			List<Pair> pairs = new ArrayList<>();
			for (int block = 0; block < Math.min(variant.size(), baseline.size()); block++) {
				Double value = variant.get(block);
				Double base = baseline.get(block);
				if (value != null && base != null) {
					pairs.add(new Pair(value, base));
				}
			}
			return pairs;
		}

	}

}
