package io.gatewaybench.internal.metrics;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests in memory. Any number of threads may record at once; every figure of a
 * {@link Totals} that is a number of requests is a sum of the same counters, read once,
 * so they always add up.
 */
final class RequestCounters {

	private static final int STATUS_CLASSES = 6;

	private final LongAdder[] completed = adders();

	private final LongAdder[] aborted = adders();

	private final LongAdder totalNanos = new LongAdder();

	private final LongAccumulator minNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);

	private final LongAccumulator maxNanos = new LongAccumulator(Math::max, 0);

	private final LatencyHistogram durations = new LatencyHistogram();

	void record(int status, boolean completed, long durationNanos) {
		long nanos = Math.max(0, durationNanos);
		this.totalNanos.add(nanos);
		this.minNanos.accumulate(nanos);
		this.maxNanos.accumulate(nanos);
		this.durations.record(nanos);
		// Last, because it is read first: a reader that sees the count sees the
		// duration, too
		(completed ? this.completed : this.aborted)[statusClass(status)].increment();
	}

	Totals totals() {
		long[] ended = new long[STATUS_CLASSES];
		long requests = 0;
		long successes = 0;
		for (int statusClass = 0; statusClass < STATUS_CLASSES; statusClass++) {
			long completed = this.completed[statusClass].sum();
			ended[statusClass] = completed + this.aborted[statusClass].sum();
			requests += ended[statusClass];
			successes += (statusClass >= 1 && statusClass <= 3) ? completed : 0;
		}
		return new Totals(requests, successes, ended[2], ended[3], ended[4], ended[5], this.totalNanos.sum(),
				this.minNanos.get(), this.maxNanos.get(), this.durations.snapshot());
	}

	private static int statusClass(int status) {
		return (status >= 100 && status < 600) ? status / 100 : 0;
	}

	private static LongAdder[] adders() {
		LongAdder[] adders = new LongAdder[STATUS_CLASSES];
		for (int statusClass = 0; statusClass < STATUS_CLASSES; statusClass++) {
			adders[statusClass] = new LongAdder();
		}
		return adders;
	}

	/**
	 * All requests since the start.
	 *
	 * @param requests number of requests
	 * @param successes those that completed with a status below 400
	 * @param status2xx those with a 2xx response, completed or not
	 * @param status3xx those with a 3xx response, completed or not
	 * @param status4xx those with a 4xx response, completed or not
	 * @param status5xx those with a 5xx response, completed or not
	 * @param totalNanos sum of the durations in nanoseconds
	 * @param minNanos shortest duration in nanoseconds; {@link Long#MAX_VALUE} without
	 * any request
	 * @param maxNanos longest duration in nanoseconds
	 * @param durations all durations
	 */
	record Totals(long requests, long successes, long status2xx, long status3xx, long status4xx, long status5xx,
			long totalNanos, long minNanos, long maxNanos, LatencyHistogram.Snapshot durations) {

	}

}
