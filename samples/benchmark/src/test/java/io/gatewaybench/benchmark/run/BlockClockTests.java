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
	void anotherBlockBeginsWhenTheLongestSoFarWouldFit() {
		BlockClock clock = clock(Duration.ofMinutes(10));
		assertThat(clock.allowsAnother()).isTrue();
		pass(250);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isTrue();
		pass(100);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isTrue();
		pass(1);
		clock.blockEnded();
		assertThat(clock.allowsAnother()).isFalse();
	}

	private BlockClock clock(@Nullable Duration limit) {
		return new BlockClock(limit, () -> this.now);
	}

	private void pass(long seconds) {
		this.now += Duration.ofSeconds(seconds).toNanos();
	}

}
