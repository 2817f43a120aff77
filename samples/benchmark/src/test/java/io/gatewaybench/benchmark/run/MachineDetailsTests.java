package io.gatewaybench.benchmark.run;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class MachineDetailsTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void settingsOfTheKernelAreReadWhole() {
		assertThat(Integer.parseInt(MachineDetails.read().get("somaxconn"))).isGreaterThanOrEqualTo(128);
		assertThat(MachineDetails.read().get("local ports").split("\\s+")).hasSize(2)
			.allSatisfy((port) -> assertThat(Integer.parseInt(port)).isGreaterThanOrEqualTo(1024));
	}

}
