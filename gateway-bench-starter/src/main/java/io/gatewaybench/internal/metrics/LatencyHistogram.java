package io.gatewaybench.internal.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations in buckets whose width grows with the value: durations below 128 ns
 * are exact, and every doubling above is cut into 64 equal buckets, so that the middle of
 * a bucket is at most 1/128 (0.8 %) away from any duration in it. That is the log-linear
 * layout of HdrHistogram (Gil Tene), which can't be used itself because it only comes
 * with the optional Micrometer. It takes 29 KB for all values of a {@code long}, and it
 * only ever counts up: readers subtract an older snapshot from a newer one, so recording
 * and reading need no coordination and no record is lost between two of them.
 */
final class LatencyHistogram {

	private static final int SUB_BUCKET_BITS = 6;

	private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;

	private static final int BUCKETS = (Long.SIZE - SUB_BUCKET_BITS) * SUB_BUCKETS;

	private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

	/**
	 * Counts a duration.
	 * @param nanos the duration in nanoseconds, not negative
	 */
	void record(long nanos) {
		this.counts.getAndIncrement(bucket(nanos));
	}

	Snapshot snapshot() {
		long[] copy = new long[BUCKETS];
		for (int bucket = 0; bucket < BUCKETS; bucket++) {
			copy[bucket] = this.counts.get(bucket);
		}
		return new Snapshot(copy);
	}

	private static int bucket(long nanos) {
		int shift = Math.max(0, Long.SIZE - 1 - SUB_BUCKET_BITS - Long.numberOfLeadingZeros(nanos));
		return shift * SUB_BUCKETS + (int) (nanos >>> shift);
	}

	private static long middle(int bucket) {
		int shift = Math.max(0, bucket / SUB_BUCKETS - 1);
		long lowest = (long) (bucket - shift * SUB_BUCKETS) << shift;
		return lowest + ((1L << shift) >> 1);
	}

	/**
	 * The counts of a histogram at some moment.
	 */
	static final class Snapshot {

		private final long[] counts;

		private Snapshot(long[] counts) {
			this.counts = counts;
		}

		/**
		 * Returns the duration that a share of all durations counted since an earlier
		 * snapshot don't exceed, by the nearest-rank definition.
		 * @param earlier a snapshot of the same histogram
		 * @param percentile the share in percent, above 0 and up to 100
		 * @return the duration in nanoseconds; -1 when nothing was counted in between
		 */
		long percentileSince(Snapshot earlier, double percentile) {
			long total = 0;
			for (int bucket = 0; bucket < BUCKETS; bucket++) {
				total += this.counts[bucket] - earlier.counts[bucket];
			}
			long missing = (long) Math.ceil(percentile / 100 * total);
			for (int bucket = 0; bucket < BUCKETS; bucket++) {
				missing -= this.counts[bucket] - earlier.counts[bucket];
				if (missing <= 0 && total > 0) {
					return middle(bucket);
				}
			}
			return -1;
		}

	}

}
