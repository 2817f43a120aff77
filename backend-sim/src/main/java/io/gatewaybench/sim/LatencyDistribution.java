package io.gatewaybench.sim;

import java.util.random.RandomGenerator;

/**
 * Distribution of a latency in milliseconds.
 */
sealed interface LatencyDistribution {

	/**
	 * Draws the next latency.
	 * @param random source of randomness
	 * @return milliseconds, 0 or more
	 */
	double sample(RandomGenerator random);

	/**
	 * The same latency every time.
	 *
	 * @param value milliseconds
	 */
	record Fixed(double value) implements LatencyDistribution {

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
	record Uniform(double min, double max) implements LatencyDistribution {

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
	record Normal(double mean, double stddev, double min) implements LatencyDistribution {

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
	record LogNormal(double median, double sigma, double max) implements LatencyDistribution {

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
	record Quantiles(double[] probabilities, double[] values) implements LatencyDistribution {

		/**
		 * The distribution through these points.
		 * @param points pairs of probability and milliseconds
		 */
		static Quantiles of(double... points) {
			double[] probabilities = new double[points.length / 2];
			double[] values = new double[points.length / 2];
			for (int i = 0; i < probabilities.length; i++) {
				probabilities[i] = points[2 * i];
				values[i] = points[2 * i + 1];
			}
			return new Quantiles(probabilities, values);
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
