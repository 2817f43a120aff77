package io.gatewaybench.benchmark.statistics;

import java.util.Collection;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A mean of independent measurements and its 95 % confidence interval by Student's t
 * distribution.
 *
 * @param estimate the mean
 * @param low the lower end, {@code null} if there is one measurement only, which says
 * nothing about noise
 * @param high the upper end, {@code null} in the same case
 * @param samples the number of measurements
 */
public record Interval(double estimate, @Nullable Double low, @Nullable Double high, int samples) {

	/**
	 * The probability that an interval contains the true value.
	 */
	public static final double CONFIDENCE = 0.95;

	/**
	 * Whether it leaves out a value, so that the true one is probably another.
	 * @param value the value
	 * @return {@code false} also where there are no ends
	 */
	boolean excludes(double value) {
		return this.low != null && this.high != null && (this.low > value || this.high < value);
	}

	/**
	 * The arithmetic mean.
	 * @param values measurements, one at least
	 * @return the mean with its interval
	 */
	public static Interval ofMean(double... values) {
		return of(Mean.of(values), DoubleUnaryOperator.identity());
	}

	/**
	 * The geometric mean, the right one for ratios and for figures that differ by
	 * factors: the interval is computed on logarithms.
	 * @param values measurements above 0, one at least
	 * @return the mean with its interval
	 */
	public static Interval ofGeometricMean(double... values) {
		return ofLogarithms(Mean.ofLogarithms(values));
	}

	/**
	 * The geometric mean of measurements that come in groups, as those of several starts
	 * of a JVM, which differ more than the measurements of one start. What counts is the
	 * mean of each group, so the interval covers what one start differs from the next.
	 * With a single group it does not, and each measurement counts.
	 * @param groups measurements above 0, one group at least and one measurement in each
	 * @return the mean with its interval; its samples are the groups
	 * @see <a href="https://doi.org/10.1145/2491894.2464160">Kalibera and Jones, Rigorous
	 * benchmarking in reasonable time (ISMM 2013)</a>
	 */
	public static Interval ofGeometricMeans(Collection<List<Double>> groups) {
		return ofGeometricMean(means(groups));
	}

	/**
	 * The arithmetic mean of such measurements, which may be negative or 0.
	 * @param groups one group at least and one measurement in each
	 * @return the mean with its interval; its samples are the groups
	 * @see #ofGeometricMeans
	 */
	public static Interval ofMeans(Collection<List<Double>> groups) {
		return ofMean(means(groups, DoubleUnaryOperator.identity(), DoubleUnaryOperator.identity()));
	}

	static double[] means(Collection<List<Double>> groups) {
		return means(groups, Math::log, Math::exp);
	}

	private static double[] means(Collection<List<Double>> groups, DoubleUnaryOperator there,
			DoubleUnaryOperator back) {
		if (groups.size() == 1) {
			return groups.iterator().next().stream().mapToDouble(Double::doubleValue).toArray();
		}
		return groups.stream()
			.mapToDouble((group) -> back.applyAsDouble(
					group.stream().mapToDouble((value) -> there.applyAsDouble(value)).average().orElseThrow()))
			.toArray();
	}

	static Interval ofLogarithms(Mean mean) {
		return of(mean, Math::exp);
	}

	private static Interval of(Mean mean, DoubleUnaryOperator back) {
		double estimate = back.applyAsDouble(mean.value());
		double half = mean.half();
		return Double.isNaN(half) ? new Interval(estimate, null, null, mean.samples()) : new Interval(estimate,
				back.applyAsDouble(mean.value() - half), back.applyAsDouble(mean.value() + half), mean.samples());
	}

	/**
	 * What the standard deviation is multiplied by to get half the width of an interval:
	 * the price of few measurements. 9.0 for 2 of them, 2.5 for 3, 1.2 for 5, 0.7 for 10.
	 * @param samples the number of measurements, 2 at least
	 * @return {@code t / sqrt(samples)}
	 */
	public static double widthFactor(int samples) {
		return Mean.quantile(samples - 1) / Math.sqrt(samples);
	}

	/**
	 * Whether a value cannot be excluded.
	 * @param value the value
	 * @return {@code true} if the interval contains it or is unknown
	 */
	public boolean contains(double value) {
		return this.low == null || this.high == null || (this.low <= value && value <= this.high);
	}

}
