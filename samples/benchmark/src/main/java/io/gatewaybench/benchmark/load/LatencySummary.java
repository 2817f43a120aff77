package io.gatewaybench.benchmark.load;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The usual figures of a latency histogram, in milliseconds. A percentile {@code p} that
 * fewer than ten samples lie beyond, so with less than {@code 10/(1-p)} samples, is
 * {@code null}; so is everything without samples.
 *
 * @param count the number of samples
 * @param meanMs the mean
 * @param minMs the least
 * @param p50Ms the median
 * @param p75Ms the 75th percentile
 * @param p90Ms the 90th percentile
 * @param p99Ms the 99th percentile
 * @param p999Ms the 99.9th percentile
 * @param maxMs the greatest
 */
public record LatencySummary(long count, @Nullable Double meanMs, @Nullable Double minMs, @Nullable Double p50Ms,
		@Nullable Double p75Ms, @Nullable Double p90Ms, @Nullable Double p99Ms, @Nullable Double p999Ms,
		@Nullable Double maxMs) {

	static LatencySummary of(Histogram histogram) {
		long count = histogram.getTotalCount();
		if (count == 0) {
			return new LatencySummary(0, null, null, null, null, null, null, null, null);
		}
		return new LatencySummary(count, millis(histogram.getMean()), millis(histogram.getMinValue()),
				percentile(histogram, 50, 20), percentile(histogram, 75, 40), percentile(histogram, 90, 100),
				percentile(histogram, 99, 1_000), percentile(histogram, 99.9, 10_000), millis(histogram.getMaxValue()));
	}

	private static @Nullable Double percentile(Histogram histogram, double percentile, long samplesNeeded) {
		return (histogram.getTotalCount() < samplesNeeded) ? null : millis(histogram.getValueAtPercentile(percentile));
	}

	/**
	 * The 99th percentile, or the maximum where there are too few samples for it.
	 * @return milliseconds, {@code null} without samples
	 */
	public @Nullable Double p99OrMaxMs() {
		return (this.p99Ms != null) ? this.p99Ms : this.maxMs;
	}

	static double millis(double nanos) {
		return Math.round(nanos / 1_000) / 1_000.0;
	}

}
