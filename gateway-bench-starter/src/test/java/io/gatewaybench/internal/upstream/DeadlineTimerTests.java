package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeadlineTimerTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5_000_000);

	private final AtomicInteger struck = new AtomicInteger();

	@Test
	void aTimeoutStrikesOnce() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			advance(timer, 9);
			assertThat(this.struck).hasValue(0);
			assertThat(deadline.isExpired()).isFalse();
			advance(timer, 1);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
			advance(timer, 100);
			deadline.await(Duration.ofMillis(10));
			advance(timer, 100);
			assertThat(this.struck).hasValue(1);
			assertThat(deadline.arrived()).isFalse();
		}
	}

	@Test
	void whatArrivesInTimeIsLeftAlone() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			advance(timer, 9);
			deadline.await(Duration.ofMillis(10));
			advance(timer, 9);
			assertThat(deadline.arrived()).isTrue();
			advance(timer, 1000);
			deadline.await(Duration.ZERO);
			advance(timer, 1000);
			assertThat(this.struck).hasValue(0);
		}
	}

	@Test
	void aWaitEndsAtOnceWhenItIsToldTo() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			assertThat(deadline.expire()).isFalse();
			deadline.await(Duration.ZERO);
			assertThat(deadline.expire()).isTrue();
			assertThat(deadline.expire()).isFalse();
			assertThat(deadline.arrived()).isFalse();
			assertThat(this.struck).hasValue(1);
			DeadlineTimer.Deadline ended = timer.deadline(this.struck::incrementAndGet);
			ended.await(Duration.ofMillis(10));
			assertThat(ended.arrived()).isTrue();
			assertThat(ended.expire()).isFalse();
			assertThat(this.struck).hasValue(1);
		}
	}

	@Test
	void everyWaitEndsWhenAllAreToldTo() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline failing = timer.deadline(() -> {
				throw new IllegalStateException();
			});
			failing.await(Duration.ZERO);
			timer.deadline(this.struck::incrementAndGet).await(Duration.ZERO);
			timer.deadline(this.struck::incrementAndGet).await(Duration.ofMillis(10));
			DeadlineTimer.Deadline idle = timer.deadline(this.struck::incrementAndGet);
			timer.expireAll();
			assertThat(this.struck).hasValue(2);
			assertThat(failing.arrived()).isFalse();
			assertThat(idle.arrived()).isTrue();
		}
	}

	@Test
	void aWaitIsReplacedOnlyWhileItLasts() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			long first = deadline.current();
			assertThat(deadline.replace(first, Duration.ofMillis(20))).isTrue();
			assertThat(deadline.replace(first, Duration.ofMillis(30))).isFalse();
			long second = deadline.current();
			assertThat(deadline.arrived()).isTrue();
			assertThat(deadline.replace(second, Duration.ofMillis(30))).isFalse();
			advance(timer, 100);
			assertThat(this.struck).hasValue(0);
		}
	}

	@Test
	void aStandstillOfTheGatewayIsNoTimeOfTheUpstream() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(1000));
			timer.slept(Duration.ofMillis(5000).toNanos());
			advance(timer, 5000);
			advance(timer, 999);
			assertThat(this.struck).hasValue(0);
			advance(timer, 1);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
		}
	}

	@Test
	void aThreadThatWaitsForItsTurnMakesNoTimeoutLonger() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(1000));
			timer.slept(Duration.ofMillis(200).toNanos());
			advance(timer, 1000);
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
			assertThat(deadline.isExpired()).isTrue();
		}
	}

	@Test
	void aClosedWatchIsForgotten() {
		try (DeadlineTimer timer = new DeadlineTimer(this.clock::get)) {
			DeadlineTimer.Deadline deadline = timer.deadline(this.struck::incrementAndGet);
			deadline.await(Duration.ofMillis(10));
			deadline.close();
			advance(timer, 100);
			assertThat(this.struck).hasValue(0);
			assertThat(timer.size()).isZero();
		}
	}

	@Test
	void theThreadLooksByItselfAndEndsWithTheTimer() {
		DeadlineTimer timer = new DeadlineTimer();
		timer.deadline(this.struck::incrementAndGet).await(Duration.ofMillis(1));
		Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
		timer.close();
	}

	@Test
	void anErrorOfOneTimeoutLeavesTheOthers() {
		try (DeadlineTimer timer = new DeadlineTimer()) {
			timer.deadline(() -> {
				this.struck.incrementAndGet();
				throw new OutOfMemoryError("By the test");
			}).await(Duration.ofMillis(1));
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(1));
			timer.deadline(this.struck::incrementAndGet).await(Duration.ofMillis(1));
			Awaitility.await().untilAsserted(() -> assertThat(this.struck).hasValue(2));
		}
	}

	private void advance(DeadlineTimer timer, long millis) {
		this.clock.addAndGet(millis * 1_000_000);
		timer.tick();
	}

}
