package io.gatewaybench.benchmark.load;

import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Counts per second of the window of a stage; what happens before it has a negative
 * offset, and does not count. Completions come in the order of time, so one histogram,
 * emptied every second, serves all of them.
 */
final class SecondSeries {

	private static final long NANOS_PER_SECOND = 1_000_000_000;

	private final List<Second> seconds = new ArrayList<>();

	private final Second before = new Second();

	private final Histogram latency = LatencyHistogram.newHistogram();

	private int current;

	void offered(long offsetNanos) {
		second(offsetNanos).offered++;
	}

	void sent(long offsetNanos) {
		second(offsetNanos).sent++;
	}

	void lag(long offsetNanos, long lagNanos) {
		Second second = second(offsetNanos);
		second.lagNanos = Math.max(second.lagNanos, lagNanos);
	}

	void ok(long offsetNanos, long latencyNanos) {
		moveTo(offsetNanos).ok++;
		if (offsetNanos >= 0) {
			this.latency.recordValue(latencyNanos);
		}
	}

	void error(long offsetNanos) {
		moveTo(offsetNanos).errors++;
	}

	/**
	 * Closes the seconds before a point in time.
	 * @param offsetNanos the time from the start of the stage
	 * @return the second it lies in
	 */
	private Second moveTo(long offsetNanos) {
		int target = (int) (offsetNanos / NANOS_PER_SECOND);
		if (target > this.current) {
			summarize();
			this.current = target;
		}
		return second(offsetNanos);
	}

	private void summarize() {
		if (this.latency.getTotalCount() > 0) {
			LatencySummary summary = LatencySummary.of(this.latency);
			Second second = this.seconds.get(this.current);
			second.p50Ms = summary.p50Ms();
			second.p99Ms = summary.p99Ms();
			second.maxMs = summary.maxMs();
			this.latency.reset();
		}
	}

	private Second second(long offsetNanos) {
		if (offsetNanos < 0) {
			return this.before;
		}
		int index = (int) (offsetNanos / NANOS_PER_SECOND);
		fill(index + 1);
		return this.seconds.get(index);
	}

	private void fill(int length) {
		while (this.seconds.size() < length) {
			this.seconds.add(new Second());
		}
	}

	/**
	 * Ends the series.
	 * @param length the least number of seconds it must have
	 * @return one sample per second
	 */
	List<SecondSample> end(int length) {
		summarize();
		fill(length);
		List<SecondSample> samples = new ArrayList<>(this.seconds.size());
		this.seconds.forEach((second) -> samples.add(second.sample(samples.size())));
		while (samples.size() > length
				&& samples.getLast().offered() + samples.getLast().ok() + samples.getLast().errors() == 0) {
			samples.removeLast();
		}
		return samples;
	}

	private static final class Second {

		private static final long NO_LAG = -1;

		private long offered;

		private long sent;

		private long ok;

		private long errors;

		private long lagNanos = NO_LAG;

		private @Nullable Double p50Ms;

		private @Nullable Double p99Ms;

		private @Nullable Double maxMs;

		SecondSample sample(int index) {
			return new SecondSample(index, this.offered, this.sent, this.ok, this.errors, this.p50Ms, this.p99Ms,
					this.maxMs, (this.lagNanos != NO_LAG) ? LatencySummary.millis(this.lagNanos) : null);
		}

	}

}
