package io.gatewaybench.benchmark.statistics;

import java.util.Arrays;

import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A mean, or the difference of two, and how well it is known.
 *
 * @param value the mean
 * @param error its standard error, not a number if it comes from one measurement
 * @param freedom the degrees of freedom of the error
 * @param samples the number of measurements
 */
record Mean(double value, double error, double freedom, int samples) {

	static Mean of(double... values) {
		int count = values.length;
		double mean = Arrays.stream(values).average().orElseThrow();
		double squares = Arrays.stream(values).map((value) -> (value - mean) * (value - mean)).sum();
		return new Mean(mean, Math.sqrt(squares / (count - 1) / count), count - 1, count);
	}

	static Mean ofLogarithms(double... values) {
		return of(Arrays.stream(values).map(Math::log).toArray());
	}

	/**
	 * The difference from a mean of other, independent measurements, which may have more
	 * noise or less. Not a bootstrap: of three measurements each, its 95 % are 80.
	 * @see <a href="https://doi.org/10.1093/biomet/34.1-2.28">Welch, The generalization
	 * of "Student's" problem when several different population variances are involved
	 * (Biometrika, 1947)</a>
	 */
	Mean minus(Mean other) {
		double mine = this.error * this.error;
		double others = other.error * other.error;
		return new Mean(this.value - other.value, Math.sqrt(mine + others),
				(mine + others) * (mine + others) / (mine * mine / this.freedom + others * others / other.freedom),
				this.samples + other.samples);
	}

	/**
	 * Half the width of the interval, not a number if it comes from one measurement.
	 */
	double half() {
		return (this.error > 0) ? quantile(this.freedom) * this.error : this.error;
	}

	/**
	 * How often the mean is as far from 0 as this by chance, if it is 0: the two-sided p
	 * value of a t test, {@code null} if it comes from one measurement.
	 */
	@Nullable Double chanceOfZero() {
		if (Double.isNaN(this.error)) {
			return null;
		}
		if (this.error == 0) {
			return (this.value == 0) ? 1.0 : 0.0;
		}
		return 2 * TDistribution.of(this.freedom).survivalProbability(Math.abs(this.value) / this.error);
	}

	static double quantile(double freedom) {
		return TDistribution.of(freedom).inverseCumulativeProbability((1 + Interval.CONFIDENCE) / 2);
	}

}
