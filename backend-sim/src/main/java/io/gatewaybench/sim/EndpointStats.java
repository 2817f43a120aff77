package io.gatewaybench.sim;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.HdrHistogram.AtomicHistogram;

/**
 * Counters of one endpoint. Recording takes no lock and allocates nothing; any event loop
 * may record while any other reads.
 */
final class EndpointStats {

	private static final long LOWEST = TimeUnit.MICROSECONDS.toNanos(1);

	/** Above the longest delay, so that what is late keeps its value. */
	private static final long HIGHEST = TimeUnit.MILLISECONDS.toNanos(2L * Profile.MAX_MILLIS);

	private final AtomicHistogram achieved = new AtomicHistogram(LOWEST, HIGHEST, 3);

	private final AtomicHistogram overshoot = new AtomicHistogram(LOWEST, HIGHEST, 2);

	private final LongAdder achievedNanos = new LongAdder();

	private final LongAdder intendedNanos = new LongAdder();

	private final LongAdder aborted = new LongAdder();

	/**
	 * Records an answered request.
	 * @param intended the delay that was drawn, in nanoseconds
	 * @param achieved the time from the request's last byte to the response's write, in
	 * nanoseconds
	 */
	void answered(long intended, long achieved) {
		this.achieved.recordValue(Math.min(achieved, HIGHEST));
		this.overshoot.recordValue(Math.min(Math.max(achieved - intended, 0), HIGHEST));
		this.achievedNanos.add(achieved);
		this.intendedNanos.add(intended);
	}

	/**
	 * Records a request whose client went away during the delay.
	 */
	void aborted() {
		this.aborted.increment();
	}

	/**
	 * Returns what was recorded so far.
	 * @param path path of the endpoint
	 */
	Report report(String path) {
		AtomicHistogram achieved = this.achieved.copy();
		AtomicHistogram overshoot = this.overshoot.copy();
		long requests = achieved.getTotalCount();
		long achievedSum = this.achievedNanos.sum();
		long intendedSum = this.intendedNanos.sum();
		return new Report(path, requests, this.aborted.sum(), new Intended(mean(intendedSum, requests)),
				Latency.of(mean(achievedSum, requests), achieved),
				Latency.of(mean(achievedSum - intendedSum, requests), overshoot));
	}

	private static double mean(long nanos, long count) {
		return (count != 0) ? millis((double) nanos / count) : 0;
	}

	private static double millis(double nanos) {
		return Math.round(nanos / 1000) / 1000.0;
	}

	/**
	 * Figures of one endpoint, 0 where there were no requests.
	 *
	 * @param path path of the endpoint
	 * @param requests number of answered requests
	 * @param aborted number of requests whose client went away during the delay
	 * @param intendedMs delays that were drawn
	 * @param achievedMs delays that came out
	 * @param overshootMs achieved minus intended
	 */
	record Report(String path, long requests, long aborted, Intended intendedMs, Latency achievedMs,
			Latency overshootMs) {
	}

	/**
	 * Delays that were drawn.
	 *
	 * @param mean milliseconds
	 */
	record Intended(double mean) {
	}

	/**
	 * Summary of a histogram, in milliseconds.
	 *
	 * @param mean exact mean
	 * @param p50 median
	 * @param p90 90th percentile
	 * @param p99 99th percentile
	 * @param max highest
	 */
	record Latency(double mean, double p50, double p90, double p99, double max) {

		static Latency of(double mean, AtomicHistogram histogram) {
			return new Latency(mean, millis(histogram.getValueAtPercentile(50)),
					millis(histogram.getValueAtPercentile(90)), millis(histogram.getValueAtPercentile(99)),
					millis(histogram.getMaxValue()));
		}

	}

}
