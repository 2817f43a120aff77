package io.gatewaybench.benchmark.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Estimates a ratio from pairs of slices that were played close to each other, in several
 * starts.
 * <p>
 * The centre of a start is a trimmed mean, which a few disturbed slices do not move; its
 * error is that of Yuen. The error of the mean over the starts has two parts: what pairs
 * of a start differ by, and what starts differ by. The latter is known badly from two or
 * three starts, so it is moderated by what earlier runs have shown. The degrees of
 * freedom of the sum are those of Satterthwaite.
 * <p>
 * No covariate takes out how fast the machine was. The CPU time that backends need
 * depends on the gateway in front of them, so it would have to be centred, and a centred
 * covariate can't move the mean. It would only hide its own error: of intervals that
 * meant 95 %, 89 % had the truth in a simulation.
 *
 * @see <a href="https://doi.org/10.2202/1544-6115.1027">Smyth, Linear models and
 * empirical Bayes methods (2004)</a>, for the moderated variance
 * @see <a href="https://doi.org/10.1093/biomet/61.1.165">Yuen, The two-sample trimmed t
 * for unequal population variances (Biometrika, 1974)</a>
 * @see <a href="https://doi.org/10.2307/3002019">Satterthwaite, An approximate
 * distribution of estimates of variance components (Biometrics, 1946)</a>
 */
public final class RatioEstimate {

	private static final double TRIMMED = 0.25;

	// The two that would be left of four tell too little of their error
	private static final int MOST_UNTRIMMED = 4;

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
	 */
	public record Pair(int start, double logarithm) {
	}

	/**
	 * Pairs what was measured in the same place.
	 * @param some the values of a variant by place, which begins with the start
	 * @param others those of its baseline
	 * @return the pairs of the places that both have, of values above 0
	 */
	public static List<Pair> pairs(Map<List<Integer>, Double> some, Map<List<Integer>, Double> others) {
		List<Pair> pairs = new ArrayList<>();
		some.forEach((place, value) -> {
			double other = others.getOrDefault(place, 0.0);
			if (value > 0 && other > 0) {
				pairs.add(new Pair(place.getFirst(), Math.log(value / other)));
			}
		});
		return pairs;
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
		Collection<double[]> starts = starts(pairs);
		double[] centres = starts.stream().mapToDouble((values) -> mean(trimmed(values, robust))).toArray();
		double mean = mean(centres);
		double within = starts.stream().mapToDouble((values) -> error(values, robust)).average().orElseThrow();
		double between = known.sd() * known.sd();
		double freedom = freedom(between, known.freedom(), within, starts, robust) + centres.length - 1;
		double variance = ((freedom - centres.length + 1) * (between + within) + squares(centres, mean)) / freedom;
		double half = Interval.quantile(freedom, confidence) * Math.sqrt(variance / centres.length);
		return Interval.ofLogarithms(mean, half, centres.length);
	}

	/**
	 * How much the starts of a comparison differ, without what their rounds differ by.
	 * @param pairs pairs of two starts at least
	 * @param robust whether slices that lie far off count less
	 * @return what the starts show; its standard deviation is 0 where rounds explain it
	 * all
	 */
	public static BetweenStarts spread(List<Pair> pairs, boolean robust) {
		Collection<double[]> starts = starts(pairs);
		double[] centres = starts.stream().mapToDouble((values) -> mean(trimmed(values, robust))).toArray();
		double within = starts.stream().mapToDouble((values) -> error(values, robust)).average().orElseThrow();
		double all = squares(centres, mean(centres)) / (centres.length - 1);
		return new BetweenStarts(Math.sqrt(Math.max(0, all - within)), centres.length - 1.0);
	}

	private static Collection<double[]> starts(List<Pair> pairs) {
		return pairs.stream()
			.collect(Collectors.groupingBy(Pair::start, TreeMap::new, Collectors.toList()))
			.values()
			.stream()
			.map((each) -> each.stream().mapToDouble(Pair::logarithm).sorted().toArray())
			.toList();
	}

	private static double freedom(double between, double known, double within, Collection<double[]> starts,
			boolean robust) {
		int pairs = starts.stream().mapToInt((values) -> values.length - 2 * cut(values.length, robust) - 1).sum();
		if (pairs == 0) {
			return Math.min(FREEDOM_OF_ONE_SLICE, known);
		}
		double sum = between + within;
		return sum * sum / (between * between / known + within * within / pairs);
	}

	private static int cut(int count, boolean robust) {
		return (robust && count > MOST_UNTRIMMED) ? (int) (TRIMMED * count) : 0;
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
