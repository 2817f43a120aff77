package io.gatewaybench.benchmark.faults;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimelineTests {

	private static final Timeline.Span OUTAGE = new Timeline.Span(millis(1_000), millis(8_000));

	@Test
	void anInstanceThatStaysIsNeverOut() {
		Timeline timeline = new Timeline(OUTAGE, List.of(look(500, 3, 3)));
		assertThat(timeline.outageMs()).isEqualTo(7_000);
		assertThat(timeline.ejections()).isZero();
		assertThat(timeline.ejectedAfterMs()).isNull();
		assertThat(timeline.backAfterMs()).isNull();
	}

	@Test
	void ejectionCountsFromTheBeginAndReturnFromTheEnd() {
		Timeline timeline = new Timeline(OUTAGE, List.of(look(500, 3, 3), look(1_040, 4, 3), look(8_250, 4, 4)));
		assertThat(timeline.ejections()).isOne();
		assertThat(timeline.recoveries()).isOne();
		assertThat(timeline.ejectedAfterMs()).isEqualTo(40);
		assertThat(timeline.backAfterMs()).isEqualTo(250);
	}

	@Test
	void anInstanceThatFailsItsFirstRequestsIsBackWhenItStays() {
		Timeline timeline = new Timeline(OUTAGE,
				List.of(look(500, 0, 0), look(1_040, 1, 0), look(2_040, 1, 1), look(2_060, 2, 1), look(9_000, 2, 2)));
		assertThat(timeline.ejections()).isEqualTo(2);
		assertThat(timeline.ejectedAfterMs()).isEqualTo(40);
		assertThat(timeline.backAfterMs()).isEqualTo(1_000);
	}

	@Test
	void anInstanceThatIsStillOutIsNotBack() {
		Timeline timeline = new Timeline(OUTAGE, List.of(look(500, 0, 0), look(1_040, 1, 0)));
		assertThat(timeline.ejectedAfterMs()).isEqualTo(40);
		assertThat(timeline.backAfterMs()).isNull();
	}

	@Test
	void anInstanceThatIsTakenBackBeforeItIsWellIsBackAtOnce() {
		Timeline timeline = new Timeline(OUTAGE, List.of(look(500, 0, 0), look(1_040, 1, 0), look(7_900, 1, 1)));
		assertThat(timeline.backAfterMs()).isZero();
	}

	private static Rotation look(long atMillis, long ejections, long recoveries) {
		return new Rotation(millis(atMillis), ejections, recoveries);
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
