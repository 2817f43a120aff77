package io.gatewaybench.sim;

import java.util.Arrays;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Distribution of a latency in milliseconds. The keys of a profile are the parameters of
 * the constructors or of what is marked as a creator.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "distribution")
sealed interface LatencyDistribution {

	/**
	 * Draws the next latency.
	 * @param random source of randomness
	 * @return milliseconds, 0 or more
	 */
	double sample(RandomGenerator random);

	private static void checkMilliseconds(double value, String key) {
		Profile.check(value >= 0 && value <= Profile.MAX_MILLIS, key,
				"a number of milliseconds from 0 to " + Profile.MAX_MILLIS);
	}

	/**
	 * The same latency every time.
	 *
	 * @param value milliseconds
	 */
	@JsonTypeName("fixed")
	record Fixed(double value) implements LatencyDistribution {

		public Fixed {
			checkMilliseconds(value, "value");
		}

		@Override
		public double sample(RandomGenerator random) {
			return this.value;
		}

	}

	/**
	 * Every latency of a range is equally likely.
	 *
	 * @param min lowest latency in milliseconds
	 * @param max highest latency in milliseconds
	 */
	@JsonTypeName("uniform")
	record Uniform(double min, double max) implements LatencyDistribution {

		public Uniform {
			checkMilliseconds(min, "min");
			checkMilliseconds(max, "max");
			Profile.check(max >= min, "max", "at least min (" + min + ")");
		}

		@Override
		public double sample(RandomGenerator random) {
			return this.min + random.nextDouble() * (this.max - this.min);
		}

	}

	/**
	 * Normal distribution, clipped at a minimum: what falls below becomes the minimum.
	 *
	 * @param mean mean in milliseconds before clipping
	 * @param stddev standard deviation in milliseconds before clipping
	 * @param min lowest latency in milliseconds
	 */
	@JsonTypeName("normal")
	record Normal(double mean, double stddev, double min) implements LatencyDistribution {

		public Normal {
			checkMilliseconds(mean, "mean");
			checkMilliseconds(stddev, "stddev");
			checkMilliseconds(min, "min");
			Profile.check(min <= mean, "min", "at most mean (" + mean + ")");
		}

		@JsonCreator
		static Normal of(double mean, double stddev, @Nullable Double min) {
			return new Normal(mean, stddev, (min != null) ? min : 0);
		}

		@Override
		public double sample(RandomGenerator random) {
			return Math.max(this.min, this.mean + this.stddev * random.nextGaussian());
		}

	}

	/**
	 * Log-normal distribution, the usual shape of a service with a long tail, clipped at
	 * a maximum: what falls above becomes the maximum.
	 *
	 * @param median median in milliseconds
	 * @param sigma standard deviation of the logarithm, no unit
	 * @param max highest latency in milliseconds
	 */
	@JsonTypeName("log-normal")
	record LogNormal(double median, double sigma, double max) implements LatencyDistribution {

		@JsonCreator
		static LogNormal of(@Nullable Double median, @Nullable Double sigma, @Nullable Double mean,
				@Nullable Double stddev, @Nullable Double max) {
			double highest = (max != null) ? max : Profile.MAX_MILLIS;
			if (mean != null && stddev != null && median == null && sigma == null) {
				check("mean", mean, highest);
				checkMilliseconds(stddev, "stddev");
				return ofMoments(mean, stddev, highest);
			}
			if (median == null || sigma == null || mean != null || stddev != null) {
				throw new IllegalArgumentException("distribution: one with median and sigma, or with mean and stddev");
			}
			check("median", median, highest);
			Profile.check(sigma >= 0 && sigma <= 10, "sigma",
					"a number from 0 to 10, the standard deviation of the logarithm");
			return new LogNormal(median, sigma, highest);
		}

		private static void check(String key, double centre, double max) {
			checkMilliseconds(centre, key);
			Profile.check(centre > 0, key, "more than 0 milliseconds");
			checkMilliseconds(max, "max");
			Profile.check(max >= centre, "max", "at least " + key + " (" + centre + ")");
		}

		/**
		 * The distribution with these moments before clipping.
		 * @param mean mean in milliseconds, more than 0
		 * @param stddev standard deviation in milliseconds
		 * @param max highest latency in milliseconds
		 */
		static LogNormal ofMoments(double mean, double stddev, double max) {
			double ratio = 1 + (stddev / mean) * (stddev / mean);
			return new LogNormal(mean / Math.sqrt(ratio), Math.sqrt(Math.log(ratio)), max);
		}

		@Override
		public double sample(RandomGenerator random) {
			return Math.min(this.max, this.median * Math.exp(this.sigma * random.nextGaussian()));
		}

	}

	/**
	 * A measured distribution: the inverse of its distribution function is linear between
	 * known quantiles.
	 *
	 * @param probabilities strictly ascending, from 0 to 1
	 * @param values the quantiles in milliseconds, ascending, as many as probabilities
	 */
	@JsonTypeName("quantiles")
	record Quantiles(double[] probabilities, double[] values) implements LatencyDistribution {

		/**
		 * The distribution through these points.
		 * @param points pairs of probability and milliseconds
		 */
		@JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
		static Quantiles of(double[][] points) {
			// The compiler trusts the annotations, and a profile may have no points
			Profile.check(points != null && points.length >= 2, "points",
					"two points [probability, milliseconds] at least");
			int last = points.length - 1;
			for (int i = 0; i <= last; i++) {
				String key = "points/" + i;
				Profile.check(points[i].length == 2, key, "a point [probability, milliseconds]");
				checkMilliseconds(points[i][1], key + "/1");
				Profile.check(i > 0 || points[i][0] == 0, key + "/0", "0, the probability of the first point");
				Profile.check(i < last || points[i][0] == 1, key + "/0", "1, the probability of the last point");
				Profile.check(i == 0 || points[i][0] > points[i - 1][0], key + "/0",
						"more than the probability of the point before");
				Profile.check(i == 0 || points[i][1] >= points[i - 1][1], key + "/1",
						"at least the milliseconds of the point before");
			}
			return new Quantiles(Arrays.stream(points).mapToDouble((point) -> point[0]).toArray(),
					Arrays.stream(points).mapToDouble((point) -> point[1]).toArray());
		}

		@Override
		public double sample(RandomGenerator random) {
			double probability = random.nextDouble();
			int upper = 1;
			while (this.probabilities[upper] < probability) {
				upper++;
			}
			int lower = upper - 1;
			double share = (probability - this.probabilities[lower])
					/ (this.probabilities[upper] - this.probabilities[lower]);
			return this.values[lower] + share * (this.values[upper] - this.values[lower]);
		}

	}

}
