package io.gatewaybench.internal.tomcat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionBuffersTests {

	@ParameterizedTest
	@CsvSource({ "4096, 8192, 32, 8192", "427, 8192, 32, 8192", "426, 8192, 8, 8192", "128, 8192, 8, 6144",
			"128, 2000, 32, 2000", "16, 8192, 8, 768" })
	void theConnectionsOfClientsFitIntoTheMemory(int megabytes, int wanted, int writeKilobytes, int connections) {
		assertThat(ConnectionBuffers.within(megabytes * 1024L * 1024, wanted))
			.isEqualTo(new ConnectionBuffers(writeKilobytes * 1024, connections));
	}

	@Test
	void thisMachineHasDirectMemory() {
		assertThat(ConnectionBuffers.directMemory()).isPositive();
	}

}
