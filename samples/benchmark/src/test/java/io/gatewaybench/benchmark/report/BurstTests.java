package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.load.SecondSample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BurstTests {

	@Test
	void aGatewayHasRecoveredWhenItsMedianStaysAsItWasBefore() {
		Burst burst = Burst.of(series("200 200 2000 200 200 200", "200 200 800 900 700 200", "10 12 300 400 13 14"));
		assertThat(burst).isEqualTo(new Burst(2000, 800, 1));
	}

	@Test
	void aGatewayThatIsNotSlowerRecoversAtOnce() {
		assertThat(Burst.of(series("200 2000 200", "200 2000 200", "10 14 12")).recoveredAfter()).isZero();
	}

	@Test
	void aGatewayThatIsSlowUntilTheEndHasNotRecovered() {
		assertThat(Burst.of(series("200 2000 200 200", "200 800 800 800", "10 300 12 300")).recoveredAfter()).isNull();
	}

	@Test
	void aGatewayThatDoesNotAnswerAfterTheBurstHasNotRecovered() {
		assertThat(Burst.of(series("200 2000 200 200", "200 500 0 0", "10 300 - -")).recoveredAfter()).isNull();
		assertThat(Burst.of(series("200 2000 200 0", "200 2000 200 0", "10 300 12 -")).recoveredAfter()).isZero();
	}

	@Test
	void theNextBurstIsNotPartOfTheRecovery() {
		assertThat(Burst
			.of(series("200 200 2000 200 200 2000 200", "200 200 2000 200 200 2000 200", "10 10 300 300 10 300 300"))
			.recoveredAfter()).isEqualTo(1);
	}

	@Test
	void whatIsSentEvenlyHasNoBurst() {
		assertThat(Burst.of(series("200 210 190", "200 210 190", "10 10 10"))).isNull();
		assertThat(Burst.of(List.of())).isNull();
	}

	private static List<SecondSample> series(String offered, String ok, String p50) {
		List<SecondSample> series = new ArrayList<>();
		for (int second = 0; second < offered.split(" ").length; second++) {
			String text = p50.split(" ")[second];
			Double median = text.equals("-") ? null : (Double) Double.parseDouble(text);
			series.add(new SecondSample(second, Long.parseLong(offered.split(" ")[second]), null,
					Long.parseLong(ok.split(" ")[second]), 0, median, slower(median), slower(median), null));
		}
		return series;
	}

	private static Double slower(Double median) {
		return (median != null) ? (Double) (2 * median) : null;
	}

}
