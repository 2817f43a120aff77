package io.gatewaybench.benchmark.statistics;

import java.util.Arrays;

import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A figure that was estimated, and between which values the true one is with a known
 * probability.
 *
 * @param estimate the estimate
 * @param low the lower end, {@code null} if nothing is known of the noise
 * @param high the upper end, {@code null} in the same case
 * @param samples the number of independent measurements, such as starts
 */
public record Interval(double estimate, @Nullable Double low, @Nullable Double high, int samples) {

	/**
	 * The probability that an interval contains the true value.
	 */
	public static final double CONFIDENCE = 0.95;

	/**
	 * The geometric mean of independent measurements, by Student's t distribution: the
	 * right one for ratios and for figures that differ by factors.
	 * @param values measurements above 0, one at least
	 * @return the mean with its interval
	 */
	public static Interval ofGeometricMean(double... values) {
		if (values.length == 1) {
			return new Interval(values[0], null, null, 1);
		}
		double[] logarithms = Arrays.stream(values).map(Math::log).toArray();
		double mean = Arrays.stream(logarithms).average().orElseThrow();
		double squares = Arrays.stream(logarithms).map((value) -> (value - mean) * (value - mean)).sum();
		int freedom = values.length - 1;
		double half = quantile(freedom, CONFIDENCE) * Math.sqrt(squares / freedom / values.length);
		return ofLogarithms(mean, half, values.length);
	}

	static Interval ofLogarithms(double mean, double half, int samples) {
		return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), samples);
	}

	/**
	 * How many standard errors half an interval is wide.
	 * @param freedom the degrees of freedom of the error
	 * @param confidence the probability that the interval contains the true value
	 */
	static double quantile(double freedom, double confidence) {
		return TDistribution.of(freedom).inverseCumulativeProbability((1 + confidence) / 2);
	}

	/**
	 * How far the ends are from the estimate of a ratio.
	 * @return half the width as a part of the estimate, such as 0.05; infinite where
	 * there are no ends
	 */
	public double halfWidth() {
		return (this.low == null || this.high == null) ? Double.POSITIVE_INFINITY : Math.sqrt(this.high / this.low) - 1;
	}

	/**
	 * With how many measurements an interval around the same estimate would leave out a
	 * value, by the square root law.
	 * @param value the value, above 0 as the estimate is
	 * @return more than there are, at most a million
	 */
	public int samplesToExclude(double value) {
		double distance = Math.abs(Math.log(this.estimate / value));
		double half = Math.log(1 + halfWidth());
		double needed = this.samples * (half / distance) * (half / distance);
		return (needed < 1_000_000) ? Math.max(this.samples + 1, (int) Math.ceil(needed)) : 1_000_000;
	}

	/**
	 * Whether a value cannot be excluded.
	 * @param value the value
	 * @return {@code true} if the interval contains it or has no ends
	 */
	public boolean contains(double value) {
		return this.low == null || this.high == null || (this.low <= value && value <= this.high);
	}

}
