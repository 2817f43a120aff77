package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WatchdogTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5_000_000);

	private final AtomicInteger struck = new AtomicInteger();

	@Test
	void aTimeoutStrikesOnce() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			advance(watchdog, 9);
			assertThat(this.struck).hasValue(0);
			assertThat(deadline.isExpired()).isFalse();
			advance(watchdog, 1);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
			advance(watchdog, 100);
			deadline.await(Duration.ofMillis(10));
			advance(watchdog, 100);
			assertThat(this.struck).hasValue(1);
			assertThat(deadline.arrived()).isFalse();
		}
	}

	@Test
	void whatArrivesInTimeIsLeftAlone() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			advance(watchdog, 9);
			deadline.await(Duration.ofMillis(10));
			advance(watchdog, 9);
			assertThat(deadline.arrived()).isTrue();
			advance(watchdog, 1000);
			deadline.await(Duration.ZERO);
			advance(watchdog, 1000);
			assertThat(this.struck).hasValue(0);
		}
	}

	@Test
	void aWaitEndsAtOnceWhenItIsToldTo() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			assertThat(deadline.expire()).isFalse();
			deadline.await(Duration.ZERO);
			assertThat(deadline.expire()).isTrue();
			assertThat(deadline.expire()).isFalse();
			assertThat(deadline.arrived()).isFalse();
			assertThat(this.struck).hasValue(1);
			Watchdog.Deadline ended = watchdog.deadline(this.struck::incrementAndGet);
			ended.await(Duration.ofMillis(10));
			assertThat(ended.arrived()).isTrue();
			assertThat(ended.expire()).isFalse();
			assertThat(this.struck).hasValue(1);
		}
	}

	@Test
	void aWaitIsReplacedOnlyWhileItLasts() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			long first = deadline.current();
			assertThat(deadline.replace(first, Duration.ofMillis(20))).isTrue();
			assertThat(deadline.replace(first, Duration.ofMillis(30))).isFalse();
			long second = deadline.current();
			assertThat(deadline.arrived()).isTrue();
			assertThat(deadline.replace(second, Duration.ofMillis(30))).isFalse();
			advance(watchdog, 100);
			assertThat(this.struck).hasValue(0);
		}
	}

	@Test
	void aStandstillOfTheGatewayIsNoTimeOfTheUpstream() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(1000));
			watchdog.slept(Duration.ofMillis(5000).toNanos());
			advance(watchdog, 5000);
			advance(watchdog, 999);
			assertThat(this.struck).hasValue(0);
			advance(watchdog, 1);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
		}
	}

	@Test
	void aThreadThatWaitsForItsTurnMakesNoTimeoutLonger() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(1000));
			watchdog.slept(Duration.ofMillis(200).toNanos());
			advance(watchdog, 1000);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
			assertThat(deadline.isExpired()).isTrue();
		}
	}

	@Test
	void aClosedWatchIsForgotten() {
		try (Watchdog watchdog = new Watchdog(this.clock::get)) {
			Watchdog.Deadline deadline = watchdog.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			deadline.close();
			advance(watchdog, 100);
			assertThat(this.struck).hasValue(0);
			assertThat(watchdog.size()).isZero();
		}
	}

	@Test
	void theThreadLooksByItselfAndEndsWithTheWatchdog() {
		Watchdog watchdog = new Watchdog();
		watchdog.deadline(this.struck::incrementAndGet).await(Duration.ofMillis(1));
		Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
		watchdog.close();
	}

	private void advance(Watchdog watchdog, long millis) {
		this.clock.addAndGet(millis * 1_000_000);
		watchdog.tick();
	}

}
