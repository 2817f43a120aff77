package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.time.Instant;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StartByClockTests {

	private static final Instant FIRST = Instant.parse("2026-11-25T16:00:00Z");

	private Instant now = FIRST.minusMillis(1);

	@Test
	void theNextLoadBeginsWhenTheOneBeforeIsOverOnAllHosts() throws Exception {
		StartByClock start = new StartByClock(FIRST, Duration.ofSeconds(10), () -> this.now);
		start.await(Duration.ofSeconds(30));
		Instant second = FIRST.plusSeconds(30).plusSeconds(10).plus(StartByClock.BETWEEN);
		this.now = second.minusMillis(1);
		start.await(Duration.ofSeconds(5));
		this.now = second.plusSeconds(100);
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> start.await(Duration.ofSeconds(5)))
			.withMessage(
					"This host is 82.0 s late for the load that begins on all hosts at 2026-11-25T16:01:01Z. Begin later"
							+ " with --start-at, or send less: the drain of a load may have taken too long.");
		assertThat(second).isEqualTo("2026-11-25T16:00:43Z");
	}

}
