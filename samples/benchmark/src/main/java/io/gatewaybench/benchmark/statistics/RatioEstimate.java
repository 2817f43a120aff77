package io.gatewaybench.benchmark.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Estimates a ratio from pairs of slices that were played close to each other, in several
 * starts.
 * <p>
 * A covariate tells of each pair how much faster the machine was for one of the two. The
 * part of the differences that follows it is taken out, as a regression within the starts
 * finds it. The covariate is centred: backends may need more behind one gateway than
 * behind another, and that must not move the estimate. The centre of a start is a trimmed
 * mean, of the covariate as of the ratios, which a few disturbed slices do not move; its
 * error is that of Yuen. The centre of the covariate is known no better than its noise
 * allows, and its error is in the interval. The error of the mean over the starts has two
 * parts: what pairs of a start differ by, and what starts differ by. The latter is known
 * badly from two or three starts, so it is moderated by what earlier runs have shown.
 *
 * @see <a href="https://doi.org/10.2202/1544-6115.1027">Smyth, Linear models and
 * empirical Bayes methods (2004)</a>, for the moderated variance
 * @see <a href="https://doi.org/10.1093/biomet/61.1.165">Yuen, The two-sample trimmed t
 * for unequal population variances (Biometrika, 1974)</a>
 */
public final class RatioEstimate {

	// Fewer pairs for each slope than this, and chance makes the slope
	private static final int LEAST_PAIRS = 6;

	private static final double TRIMMED = 0.2;

	// Earlier runs knew what slices differ by. Where a start has one slice only, this run
	// does not, and it must count for more
	private static final double FREEDOM_OF_ONE_SLICE = 2;

	private RatioEstimate() {
	}

	/**
	 * A slice of a variant beside one of its baseline.
	 *
	 * @param start the start that it belongs to
	 * @param logarithm of variant / baseline
	 * @param covariate what tells how much more the machine took from the variant than
	 * from the baseline, 0 where nothing does
	 */
	public record Pair(int start, double logarithm, double covariate) {
	}

	/**
	 * Estimates.
	 * @param pairs the pairs, one at least
	 * @param known what is known of starts
	 * @param robust whether slices that lie far off count less
	 * @param confidence the probability that the interval contains the true value
	 * @return the ratio; its samples are the starts
	 */
	public static Interval of(List<Pair> pairs, BetweenStarts known, boolean robust, double confidence) {
		double slope = slope(pairs);
		List<double[]> covariates = starts(pairs, Pair::covariate);
		double centre = mean(centres(covariates, robust));
		List<double[]> starts = starts(pairs,
				(pair) -> pair.logarithm() - ((slope != 0) ? slope * (pair.covariate() - centre) : 0));
		double[] centres = centres(starts, robust);
		double within = error(starts, robust);
		double mean = mean(centres);
		boolean repeated = starts.stream().anyMatch((values) -> values.length > 1);
		double freedom = repeated ? known.freedom() : Math.min(FREEDOM_OF_ONE_SLICE, known.freedom());
		double seen = squares(centres, mean);
		double variance = (freedom * (known.sd() * known.sd() + within) + seen) / (freedom + centres.length - 1);
		double half = Interval.quantile(freedom + centres.length - 1, confidence)
				* Math.sqrt((variance + slope * slope * error(covariates, robust)) / centres.length);
		return new Interval(mean, mean - half, mean + half, centres.length).exp();
	}

	private static List<double[]> starts(List<Pair> pairs, ToDoubleFunction<Pair> value) {
		return pairs.stream()
			.collect(Collectors.groupingBy(Pair::start, TreeMap::new, Collectors.toList()))
			.values()
			.stream()
			.map((each) -> each.stream().mapToDouble(value).sorted().toArray())
			.toList();
	}

	/**
	 * What follows the covariate, 0 if that can't be told.
	 */
	private static double slope(List<Pair> pairs) {
		double product = 0;
		double square = 0;
		int starts = 0;
		for (List<Pair> start : pairs.stream().collect(Collectors.groupingBy(Pair::start)).values()) {
			double x = start.stream().mapToDouble(Pair::covariate).average().orElseThrow();
			double y = start.stream().mapToDouble(Pair::logarithm).average().orElseThrow();
			for (Pair pair : start) {
				product += (pair.covariate() - x) * (pair.logarithm() - y);
				square += (pair.covariate() - x) * (pair.covariate() - x);
			}
			starts++;
		}
		// A machine that is slower for both is slower by no more than it is for one
		return (pairs.size() - starts < LEAST_PAIRS || square == 0) ? 0 : Math.clamp(product / square, 0, 1);
	}

	private static double[] centres(List<double[]> starts, boolean robust) {
		return starts.stream().mapToDouble((values) -> mean(trimmed(values, robust))).toArray();
	}

	private static double error(List<double[]> starts, boolean robust) {
		return starts.stream().mapToDouble((values) -> error(values, robust)).average().orElseThrow();
	}

	private static int cut(int count, boolean robust) {
		return robust ? (int) (TRIMMED * count) : 0;
	}

	private static double[] trimmed(double[] sorted, boolean robust) {
		int cut = cut(sorted.length, robust);
		return Arrays.copyOfRange(sorted, cut, sorted.length - cut);
	}

	/**
	 * The squared error of the centre of a start, 0 for one slice.
	 */
	private static double error(double[] sorted, boolean robust) {
		int count = sorted.length;
		if (count == 1) {
			return 0;
		}
		int cut = cut(count, robust);
		double[] winsorized = sorted.clone();
		Arrays.fill(winsorized, 0, cut, sorted[cut]);
		Arrays.fill(winsorized, count - cut, count, sorted[count - 1 - cut]);
		int left = count - 2 * cut;
		return squares(winsorized, mean(winsorized)) / (left * (left - 1.0));
	}

	private static double mean(double[] values) {
		return Arrays.stream(values).average().orElseThrow();
	}

	private static double squares(double[] values, double mean) {
		return Arrays.stream(values).map((value) -> (value - mean) * (value - mean)).sum();
	}

}
