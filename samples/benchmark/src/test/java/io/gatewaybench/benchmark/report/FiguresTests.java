package io.gatewaybench.benchmark.report;

import java.time.Duration;

import io.gatewaybench.benchmark.statistics.Interval;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

	@Test
	void latenciesHaveThreeDigitsAndAUnit() {
		assertThat(Figures.millis(6.104)).isEqualTo("6.10 ms");
		assertThat(Figures.millis(38.26)).isEqualTo("38.3 ms");
		assertThat(Figures.millis(637.4)).isEqualTo("637 ms");
		assertThat(Figures.millis(1530.0)).isEqualTo("1.53 s");
		assertThat(Figures.millis(null)).isEqualTo("n/a");
	}

	@Test
	void whatReachesTheLimitIsAtLeastTheLimit() {
		Duration limit = Duration.ofSeconds(10);
		assertThat(Figures.millis(9_999.9, limit)).isEqualTo("≥ 10 s");
		assertThat(Figures.millis(10_003.0, limit)).isEqualTo("≥ 10 s");
		assertThat(Figures.millis(9_000.0, limit)).isEqualTo("9.00 s");
		assertThat(Figures.millis(null, limit)).isEqualTo("n/a");
	}

	@Test
	void aRatioHasItsIntervalUnlessItTellsNothing() {
		assertThat(Figures.ratio(new Interval(0.941, 0.912, 0.97, 3))).isEqualTo("0.94 (0.91–0.97)");
		assertThat(Figures.ratio(new Interval(0.941, 0.932, 0.95, 3))).isEqualTo("0.941 (0.932–0.950)");
		assertThat(Figures.range(new Interval(1, 0.01, 10.0, 2))).isEqualTo("starts differ widely");
	}

	@Test
	void durationsAreWrittenInWords() {
		assertThat(Figures.duration(Duration.ofMillis(500))).isEqualTo("500 ms");
		assertThat(Figures.duration(Duration.ofSeconds(30))).isEqualTo("30 s");
		assertThat(Figures.duration(Duration.ofSeconds(150))).isEqualTo("2 min 30 s");
		assertThat(Figures.duration(Duration.ofHours(1))).isEqualTo("1 h");
	}

	@Test
	void largeNumbersAreGrouped() {
		assertThat(Figures.perSecond(4400.4)).isEqualTo("4,400");
		assertThat(Figures.perSecond(20.21)).isEqualTo("20.21");
		assertThat(Figures.count(1_000_000)).isEqualTo("1,000,000");
		assertThat(Figures.bytes(512L << 20)).isEqualTo("512 MiB");
		assertThat(Figures.bytes(24L << 30)).isEqualTo("24.0 GiB");
	}

}
