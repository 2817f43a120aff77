package io.gatewaybench.benchmark.topology;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import oshi.SystemInfo;

import static org.assertj.core.api.Assertions.assertThat;

class MachineDetailsTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void settingsOfTheKernelAreReadWhole() {
		Map<String, String> details = MachineDetails.read(new SystemInfo());
		assertThat(Integer.parseInt(details.get("somaxconn"))).isGreaterThanOrEqualTo(128);
		assertThat(details.get("local ports").split("\\s+")).hasSize(2)
			.allSatisfy((port) -> assertThat(Integer.parseInt(port)).isGreaterThanOrEqualTo(1024));
	}

	@Test
	void theHardwareIsTold() {
		Map<String, String> details = MachineDetails.read(new SystemInfo());
		assertThat(Integer.parseInt(details.get("physical cores"))).isPositive();
		assertThat(details.get("CPU flags").split(" ")).hasSizeGreaterThan(1).doesNotContain(":");
	}

}
