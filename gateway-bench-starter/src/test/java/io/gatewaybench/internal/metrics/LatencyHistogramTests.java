package io.gatewaybench.internal.metrics;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LatencyHistogramTests {

	private final LatencyHistogram histogram = new LatencyHistogram();

	private final LatencyHistogram.Snapshot empty = this.histogram.snapshot();

	@Test
	void percentilesOfAnyDurationsAreWithinOneBucketOfTheExactOnes() {
		assertAccurateBetween(0, Long.MAX_VALUE);
	}

	@Test
	void percentilesOfUsualDurationsAreWithinOneBucketOfTheExactOnes() {
		assertAccurateBetween(20_000, 60_000_000_000L);
	}

	@Test
	void everyPowerOfTwoAndItsNeighboursFallIntoARightBucket() {
		for (int exponent = 0; exponent < Long.SIZE - 1; exponent++) {
			for (long nanos = (1L << exponent) - 1; nanos <= (1L << exponent) + 1; nanos++) {
				assertAccurate(List.of(nanos), 50);
			}
		}
		assertAccurate(List.of(Long.MAX_VALUE), 50);
	}

	@Test
	void onlyDurationsSinceTheEarlierSnapshotCount() {
		this.histogram.record(50);
		this.histogram.record(50);
		LatencyHistogram.Snapshot earlier = this.histogram.snapshot();
		this.histogram.record(100);

		LatencyHistogram.Snapshot later = this.histogram.snapshot();

		assertThat(later.percentileSince(earlier, 50)).isEqualTo(100);
		assertThat(later.percentileSince(this.empty, 50)).isEqualTo(50);
	}

	@Test
	void thereIsNoPercentileOfNothing() {
		assertThat(this.histogram.snapshot().percentileSince(this.empty, 50)).isNegative();
	}

	@Test
	void theTailOfAThousandDurationsIsTheRightOne() {
		LongStream.rangeClosed(1, 990).forEach((any) -> this.histogram.record(10));
		LongStream.rangeClosed(1, 10)
			.forEach((any) -> this.histogram.record(ThreadLocalRandom.current().nextLong(90, 100)));

		LatencyHistogram.Snapshot snapshot = this.histogram.snapshot();

		assertThat(snapshot.percentileSince(this.empty, 99)).isEqualTo(10);
		assertThat(snapshot.percentileSince(this.empty, 99.1)).isBetween(90L, 99L);
	}

	/**
	 * Durations evenly over the orders of magnitude, as percentiles are.
	 */
	private static void assertAccurateBetween(long min, long max) {
		for (long seed = 0; seed < 1000; seed++) {
			Random random = new Random(seed);
			List<Long> durations = Stream
				.generate(() -> Math.max(min, random.nextLong(max) >> random.nextInt(Long.SIZE - 1)))
				.limit(random.nextInt(1, 500))
				.toList();
			assertAccurate(durations, random.nextDouble(0.1, 100));
		}
	}

	private static void assertAccurate(List<Long> durations, double percentile) {
		LatencyHistogram histogram = new LatencyHistogram();
		LatencyHistogram.Snapshot empty = histogram.snapshot();
		durations.forEach(histogram::record);
		long exact = durations.stream()
			.sorted()
			.skip((long) Math.ceil(percentile / 100 * durations.size()) - 1)
			.findFirst()
			.orElseThrow();
		assertThat(histogram.snapshot().percentileSince(empty, percentile)).isCloseTo(exact, within(exact / 128));
	}

}
