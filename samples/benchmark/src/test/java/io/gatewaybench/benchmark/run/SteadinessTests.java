package io.gatewaybench.benchmark.run;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.result.WarmupCurve.Cycle;

import static org.assertj.core.api.Assertions.assertThat;

class SteadinessTests {

	private final Steadiness steadiness = new Steadiness(0.1);

	@Test
	void threeCyclesThatAreAlikeAreSteady() {
		assertThat(this.steadiness.of(cycles(900.0, 300.0, 310.0, 290.0))).isTrue();
		assertThat(this.steadiness.of(cycles(300.0, 310.0, 290.0))).isTrue();
	}

	@Test
	void aGatewayThatStillGetsFasterIsNotSteady() {
		assertThat(this.steadiness.of(cycles(400.0, 350.0, 320.0, 310.0))).isFalse();
	}

	@Test
	void fewerThanThreeCyclesCannotTell() {
		assertThat(this.steadiness.of(cycles(300.0, 300.0))).isNull();
		assertThat(this.steadiness.of(List.of())).isNull();
	}

	@Test
	void aCycleWithoutAFigureCannotTell() {
		assertThat(this.steadiness.of(cycles(300.0, null, 300.0))).isNull();
	}

	@Test
	void aGatewayWhoseCompilersAreBusyIsNotSteady() {
		assertThat(this.steadiness.of(List.of(new Cycle(1_600, 1_088.0, 120.0, null),
				new Cycle(1_700, 1_040.0, 128.0, null), new Cycle(1_700, 1_081.0, 135.0, null))))
			.isFalse();
		assertThat(this.steadiness.of(List.of(new Cycle(1_600, 300.0, 120.0, null), new Cycle(1_700, 300.0, 20.0, null),
				new Cycle(1_700, 300.0, 15.0, null))))
			.isTrue();
	}

	private static List<Cycle> cycles(Double... micros) {
		return Arrays.stream(micros).map((value) -> new Cycle(2_400, value, 1.0, null)).toList();
	}

}
