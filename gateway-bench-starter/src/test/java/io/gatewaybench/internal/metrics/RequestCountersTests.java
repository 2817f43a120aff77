package io.gatewaybench.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestCountersTests {

	private static final int[] STATUSES = { 200, 302, 404, 503 };

	private final RequestCounters counters = new RequestCounters();

	@Test
	void recordsOfManyThreadsAddUp() throws Exception {
		int threads = 8;
		int records = 20_000;
		LatencyHistogram.Snapshot before = this.counters.totals().durations();
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<?>> writers = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				long offset = thread * (long) records;
				writers.add(executor.submit(() -> {
					start.await();
					for (int index = 0; index < records; index++) {
						this.counters.record(STATUSES[index % STATUSES.length], index % 10 != 0, offset + index + 1);
					}
					return null;
				}));
			}
			start.countDown();
			while (!writers.stream().allMatch(Future::isDone)) {
				assertTallies(this.counters.totals());
			}
			for (Future<?> writer : writers) {
				writer.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		long all = (long) threads * records;
		RequestCounters.Totals totals = this.counters.totals();
		assertTallies(totals);
		assertThat(totals.requests()).isEqualTo(all);
		assertThat(totals.status2xx()).isEqualTo(all / 4);
		assertThat(totals.status5xx()).isEqualTo(all / 4);
		// Of every 20 records, 10 are 2xx or 3xx, and one of those was aborted
		assertThat(totals.successes()).isEqualTo(all / 20 * 9);
		assertThat(totals.totalNanos()).isEqualTo(all * (all + 1) / 2);
		assertThat(totals.minNanos()).isEqualTo(1);
		assertThat(totals.maxNanos()).isEqualTo(all);
		assertThat((double) totals.durations().percentileSince(before, 50)).isBetween(all * 0.49, all * 0.51);
	}

	@Test
	void onlyCompletedRequestsBelow400AreSuccesses() {
		int[] successes = { 100, 101, 200, 204, 299, 304, 399 };
		int[] errors = { 400, 404, 499, 500, 599, 600, 999, 0, -1, 99, 1000 };
		for (int status : successes) {
			this.counters.record(status, true, 1);
			this.counters.record(status, false, 1);
		}
		for (int status : errors) {
			this.counters.record(status, true, 1);
			this.counters.record(status, false, 1);
		}

		RequestCounters.Totals totals = this.counters.totals();

		assertThat(totals.successes()).isEqualTo(successes.length);
		assertThat(totals.requests()).isEqualTo(2 * (successes.length + errors.length));
		assertThat(totals.status2xx()).isEqualTo(6);
		assertThat(totals.status3xx()).isEqualTo(4);
		assertThat(totals.status4xx()).isEqualTo(6);
		assertThat(totals.status5xx()).isEqualTo(4);
	}

	@Test
	void aDurationBelowZeroCountsAsZero() {
		this.counters.record(200, true, -5);

		assertThat(this.counters.totals().minNanos()).isZero();
		assertThat(this.counters.totals().totalNanos()).isZero();
	}

	private static void assertTallies(RequestCounters.Totals totals) {
		assertThat(totals.status2xx() + totals.status3xx() + totals.status4xx() + totals.status5xx())
			.isEqualTo(totals.requests());
		assertThat(totals.successes()).isLessThanOrEqualTo(totals.status2xx() + totals.status3xx());
	}

}
