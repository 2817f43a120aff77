package io.gatewaybench.benchmark.run;

import io.gatewaybench.benchmark.observe.MachineUse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class WarmUpTests {

	@ParameterizedTest
	@CsvSource({ "0, 0, 360", "0.2, 0.05, 270", "0, 0.25, 270", "0.6, 0.1, 240", "1, 0, 240" })
	void timeThatOthersTookDoesNotCountUpToAHalfMore(double foreign, double steal, double counted) {
		MachineUse others = new MachineUse(360, 1, steal, foreign, 0);
		assertThat(WarmUp.own(360, others)).isCloseTo(counted, within(1e-9));
	}

}
