package io.gatewaybench.benchmark.run;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BlockClockTests {

	private long now = -Duration.ofMinutes(3).toNanos();

	@Test
	void withoutALimitThereIsAlwaysTime() {
		BlockClock clock = clock(null);
		assertThat(clock.allowsAnother()).isTrue();
		pass(1_000);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isTrue();
	}

	@Test
	void theFirstBlockBeginsInAnyCase() {
		BlockClock clock = clock(Duration.ofMinutes(10));
		pass(601);
		assertThat(clock.allowsAnother()).isTrue();
	}

	@Test
	void anotherBlockBeginsWhenOneAsLongAsTheLastWouldFit() {
		BlockClock clock = clock(Duration.ofMinutes(10));
		assertThat(clock.allowsAnother()).isTrue();
		pass(350);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isFalse();
		pass(-100);
		assertThat(clock.allowsAnother()).isTrue();
		pass(100);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isTrue();
		pass(200);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isFalse();
	}

	@Test
	void theLeastNumberOfBlocksBeginsInAnyCase() {
		BlockClock clock = new BlockClock(Duration.ofMinutes(10), 3, () -> this.now);
		for (int block = 0; block < 3; block++) {
			assertThat(clock.allowsAnother()).isTrue();
			pass(601);
			clock.blockEnded();
		}
		assertThat(clock.allowsAnother()).isFalse();
	}

	private BlockClock clock(@Nullable Duration limit) {
		return new BlockClock(limit, 1, () -> this.now);
	}

	private void pass(long seconds) {
		this.now += Duration.ofSeconds(seconds).toNanos();
	}

}
