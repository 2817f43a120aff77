package io.gatewaybench.benchmark.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A figure that was estimated, and between which values the true one is with a known
 * probability.
 *
 * @param estimate the estimate
 * @param low the lower end
 * @param high the upper end
 * @param samples the number of independent measurements, such as starts
 */
public record Interval(double estimate, double low, double high, int samples) {

	/**
	 * The probability that an interval contains the true value.
	 */
	public static final double CONFIDENCE = 0.95;

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
	 * @return half the width as a part of the estimate, such as 0.05
	 */
	public double halfWidth() {
		return Math.sqrt(this.high / this.low) - 1;
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
	 * @return {@code true} if the interval contains it
	 */
	public boolean contains(double value) {
		return this.low <= value && value <= this.high;
	}

}
