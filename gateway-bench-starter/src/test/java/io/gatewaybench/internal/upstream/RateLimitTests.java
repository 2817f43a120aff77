package io.gatewaybench.internal.upstream;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final AtomicLong clock = new AtomicLong(-3);

	@Test
	void aBurstPassesAndThenTheRate() {
		RateLimit limit = limit(10, 3);
		assertThat(admitted(limit, "a", 5)).isEqualTo(3);
		this.clock.addAndGet(SECOND / 10 - 1);
		assertThat(limit.admit("a")).isOne();
		this.clock.addAndGet(1);
		assertThat(admitted(limit, "a", 5)).isOne();
		this.clock.addAndGet(SECOND);
		assertThat(admitted(limit, "a", 5)).isEqualTo(3);
		assertThat(limit.refused()).isEqualTo(9);
	}

	@Test
	void clientsDoNotDisturbEachOther() {
		RateLimit limit = limit(1, 2);
		assertThat(admitted(limit, "a", 100)).isEqualTo(2);
		assertThat(admitted(limit, "b", 100)).isEqualTo(2);
		assertThat(admitted(limit, "", 100)).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0.001, 0.3, 0.5, 1, 3, 1_000_000 })
	void aClientMayPassAfterTheSecondsThatItIsTold(double rate) {
		RateLimit limit = limit(rate, 1);
		limit.admit("a");
		long seconds = limit.admit("a");
		assertThat(seconds).isEqualTo((long) Math.max(1, Math.ceil(1 / rate)));
		this.clock.addAndGet((seconds - 1) * SECOND);
		assertThat(limit.admit("a")).isPositive();
		this.clock.addAndGet(SECOND);
		assertThat(limit.admit("a")).isZero();
	}

	static LongStream seeds() {
		return LongStream.range(0, 100);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void noWindowHasMoreThanTheBurstAndTheRate(long seed) {
		Random random = new Random(seed);
		// The clock of the JVM may begin anywhere
		this.clock.set(random.nextLong());
		double rate = Math.pow(10, random.nextDouble(-3, 6));
		int burst = random.nextInt(1, 20);
		RateLimit limit = limit(rate, burst);
		List<Long> passed = new ArrayList<>();
		long start = this.clock.get();
		for (int i = 0; i < 500; i++) {
			this.clock.addAndGet((long) (random.nextDouble() * random.nextInt(1, 4) * SECOND / rate));
			if (limit.admit("a") == 0) {
				passed.add(this.clock.get() - start);
			}
			limit.admit("b" + i % 3);
		}
		long interval = (long) (SECOND / rate);
		assertThat(passed).hasSizeGreaterThanOrEqualTo(burst);
		for (int from = 0; from < passed.size(); from++) {
			for (int to = from; to < passed.size(); to++) {
				assertThat((long) (to - from + 1))
					.isLessThanOrEqualTo(burst + (passed.get(to) - passed.get(from)) / interval);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void aClientUnderItsRateIsNeverRefused(long seed) {
		Random random = new Random(seed);
		this.clock.set(random.nextLong());
		double rate = Math.pow(10, random.nextDouble(-3, 6));
		int burst = random.nextInt(1, 20);
		RateLimit limit = limit(rate, burst);
		for (int i = 0; i < 200; i++) {
			// As many as the burst, and then the time that they take at the rate
			int together = random.nextInt(1, burst + 1);
			assertThat(admitted(limit, "a", together)).isEqualTo(together);
			for (int j = 0; j < 50; j++) {
				limit.admit("b" + random.nextInt(10));
			}
			this.clock.addAndGet((long) Math.ceil(together * (SECOND / rate)));
		}
	}

	@Test
	void manyKeysLockNobodyOutAndDoNotMakeOneForgetWhoSendsMost() {
		RateLimit limit = limit(10, 5);
		assertThat(admitted(limit, "most", 10)).isEqualTo(5);
		for (int i = 0; i < 20 * RateLimit.CLIENTS; i++) {
			assertThat(limit.admit("attack-" + i)).isZero();
			if (i % RateLimit.CLIENTS == 0) {
				assertThat(limit.admit("most")).isOne();
				assertThat(limit.admit("new-" + i)).isZero();
			}
		}
		this.clock.addAndGet(SECOND / 10);
		assertThat(admitted(limit, "most", 10)).isOne();
	}

	@Test
	void keysTakeNoMemory() {
		RateLimit limit = limit(10, 5);
		List<String> keys = IntStream.range(0, 4 * RateLimit.CLIENTS).mapToObj((i) -> "key-" + i).toList();
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		admitted(limit, "a", 10);
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < keys.size(); i++) {
			limit.admit(keys.get(i));
		}
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
	}

	@Test
	void manyThreadsTogetherHaveOneBurst() throws Exception {
		RateLimit limit = limit(1, 1_000);
		Callable<Integer> task = () -> admitted(limit, "a", 2_000);
		ExecutorService executor = Executors.newFixedThreadPool(8);
		int passed = 0;
		try {
			for (Future<Integer> done : executor.invokeAll(Collections.nCopies(8, task))) {
				passed += done.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(passed).isEqualTo(1_000);
		assertThat(limit.refused()).isEqualTo(15_000);
	}

	private RateLimit limit(double rate, int burst) {
		return new RateLimit(rate, burst, this.clock::get);
	}

	private static int admitted(RateLimit limit, String client, int requests) {
		return (int) IntStream.range(0, requests).filter((i) -> limit.admit(client) == 0).count();
	}

}
