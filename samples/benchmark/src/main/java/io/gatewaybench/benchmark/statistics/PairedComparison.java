package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Two variants over the blocks in which both were measured. Within a block both saw the
 * same machine, so its noise cancels out in the ratio, where it would drown the
 * difference of two means.
 *
 * @param ratio geometric mean of variant / baseline, {@code null} if a value is not above
 * 0
 * @param chance how often chance alone makes such a difference, 0 to 1: the p value of a
 * paired t test on logarithms, of Welch's where there are no pairs. {@code null} with
 * less than two blocks
 * @param smallestEffect differences below this part are not claimed, however narrow the
 * interval: {@link #SMALLEST_EFFECT}, or {@link #ONE_START} where gateways were started
 * once
 * @param effect what can be said
 * @see <a href="https://doi.org/10.1145/3030207.3030229">Abedi and Brecht, Conducting
 * repeatable experiments in highly variable cloud computing environments (ICPE 2017)</a>
 */
public record PairedComparison(@Nullable Interval ratio, @Nullable Double chance, Double smallestEffect,
		Effect effect) {

	/**
	 * Differences below this part are not claimed, however narrow the interval: the order
	 * of code in memory alone makes as much.
	 * @see <a href="https://doi.org/10.1145/1508244.1508275">Mytkowicz et al., Producing
	 * wrong data without doing anything obviously wrong (ASPLOS 2009)</a>
	 */
	public static final double SMALLEST_EFFECT = 0.03;

	/**
	 * The same where the blocks share one start of the gateways, as the interval leaves
	 * out what one start of a JVM differs from the next. The ratio of two gateways on
	 * virtual threads had a standard deviation of 8 % over ten starts of each (commit
	 * 8d87a55, CPU per request).
	 */
	public static final double ONE_START = 0.2;

	private static final PairedComparison NO_RATIO = new PairedComparison(null, null, SMALLEST_EFFECT, Effect.UNKNOWN);

	/**
	 * Fills in what results that are older than {@link #ONE_START} lack.
	 */
	public PairedComparison {
		smallestEffect = Objects.requireNonNullElse(smallestEffect, SMALLEST_EFFECT);
	}

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
		 * The whole interval of the ratio is less than
		 * {@link PairedComparison#SMALLEST_EFFECT} away from 1, over several starts.
		 */
		EQUIVALENT,

		/**
		 * More blocks, or more starts, could tell.
		 */
		INCONCLUSIVE,

		/**
		 * One block only, which says nothing about noise.
		 */
		UNKNOWN

	}

	/**
	 * Compares where every block starts the gateways anew.
	 * @param pairs one per block
	 * @return the comparison as if it were the only one, {@code null} without a pair
	 */
	public static @Nullable PairedComparison of(List<Pair> pairs) {
		return pairs.isEmpty() ? null
				: of(IntStream.range(0, pairs.size())
					.boxed()
					.collect(Collectors.toMap(Function.identity(), (block) -> List.of(pairs.get(block)))));
	}

	/**
	 * Compares.
	 * @param byStart one pair per block, by the start of the gateways; one at least
	 * @return the comparison as if it were the only one
	 * @see Interval#ofGeometricMeans
	 */
	public static PairedComparison of(Map<Integer, List<Pair>> byStart) {
		boolean positive = byStart.values()
			.stream()
			.flatMap(List::stream)
			.allMatch((pair) -> pair.variant() > 0 && pair.baseline() > 0);
		return positive ? of(Mean.ofLogarithms(Interval.means(byStart.values()
			.stream()
			.map((pairs) -> pairs.stream().map((pair) -> pair.variant() / pair.baseline()).toList())
			.toList())), smallestEffect(byStart.values())) : NO_RATIO;
	}

	/**
	 * Compares measurements that are no pairs, as those of two runs are: each has the
	 * noise of its own.
	 * @param variant measurements of one, by the start of its gateway; one at least
	 * @param baseline measurements of the other
	 * @return the comparison as if it were the only one
	 */
	public static PairedComparison ofIndependent(Collection<List<Double>> variant, Collection<List<Double>> baseline) {
		boolean positive = Stream.of(variant, baseline)
			.flatMap(Collection::stream)
			.flatMap(List::stream)
			.allMatch((value) -> value > 0);
		return positive
				? of(Mean.ofLogarithms(Interval.means(variant)).minus(Mean.ofLogarithms(Interval.means(baseline))),
						Math.max(smallestEffect(variant), smallestEffect(baseline)))
				: NO_RATIO;
	}

	private static double smallestEffect(Collection<? extends List<?>> byStart) {
		return (byStart.size() == 1) ? ONE_START : SMALLEST_EFFECT;
	}

	private static PairedComparison of(Mean logarithm, double smallestEffect) {
		return new PairedComparison(Interval.ofLogarithms(logarithm), null, smallestEffect, Effect.UNKNOWN)
			.withChance(logarithm.chanceOfZero());
	}

	/**
	 * Makes it harder for each of many comparisons to be called a difference: of twenty
	 * equal variants, one would be called different.
	 * @param all the comparisons that are looked at together
	 * @return the same ones, in the same order
	 * @see <a href="https://www.jstor.org/stable/4615733">Holm, A simple sequentially
	 * rejective multiple test procedure (Scandinavian Journal of Statistics, 1979)</a>
	 */
	public static List<PairedComparison> corrected(List<PairedComparison> all) {
		List<Double> sorted = all.stream().map(PairedComparison::chance).filter(Objects::nonNull).sorted().toList();
		return all.stream().map((each) -> each.withChance(corrected(each.chance, sorted))).toList();
	}

	private static @Nullable Double corrected(@Nullable Double chance, List<Double> sorted) {
		if (chance == null) {
			return null;
		}
		double corrected = 0;
		for (int index = 0; index < sorted.size() && sorted.get(index) <= chance; index++) {
			corrected = Math.max(corrected, (sorted.size() - index) * sorted.get(index));
		}
		return Math.min(1, corrected);
	}

	private PairedComparison withChance(@Nullable Double newChance) {
		return new PairedComparison(this.ratio, newChance, this.smallestEffect,
				effect(this.ratio, newChance, this.smallestEffect));
	}

	/**
	 * Whether gateways were started once, and the difference is one that one start can't
	 * show: the interval has no larger one, or it leaves out 1 and would be a difference
	 * over several starts.
	 * @return {@code false} also where there is no interval
	 */
	public boolean tooSmallForOneStart() {
		Interval interval = this.ratio;
		if (this.smallestEffect != ONE_START || interval == null || interval.low() == null || interval.high() == null
				|| Math.abs(interval.estimate() - 1) >= ONE_START) {
			return false;
		}
		boolean small = interval.low() > 1 - ONE_START && interval.high() < 1 + ONE_START;
		return small || interval.excludes(1);
	}

	/**
	 * Whether it would be a difference if it were the only comparison: the interval
	 * leaves out 1, and only the correction for many comparisons speaks against it.
	 * @return {@code false} also where there is no interval
	 */
	public boolean mayBeChance() {
		return this.effect == Effect.INCONCLUSIVE && this.ratio != null && this.ratio.excludes(1)
				&& Math.abs(this.ratio.estimate() - 1) >= this.smallestEffect;
	}

	private static Effect effect(@Nullable Interval ratio, @Nullable Double chance, double smallestEffect) {
		if (ratio == null || chance == null || ratio.low() == null || ratio.high() == null) {
			return Effect.UNKNOWN;
		}
		if (smallestEffect == SMALLEST_EFFECT && ratio.low() > 1 - SMALLEST_EFFECT
				&& ratio.high() < 1 + SMALLEST_EFFECT) {
			return Effect.EQUIVALENT;
		}
		if (chance > 1 - Interval.CONFIDENCE || Math.abs(ratio.estimate() - 1) < smallestEffect) {
			return Effect.INCONCLUSIVE;
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
