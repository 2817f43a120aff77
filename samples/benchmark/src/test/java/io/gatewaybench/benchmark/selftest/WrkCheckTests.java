package io.gatewaybench.benchmark.selftest;

import io.gatewaybench.benchmark.failure.BenchFailure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WrkCheckTests {

	private static final String OUTPUT = """
			Running 1s test @ http://127.0.0.1:8080/api/hello
			  1 threads and 64 connections
			  7421 requests in 1.00s, 1.20MB read
			%sRequests/sec:   7405.18
			Transfer/sec:      1.20MB
			""";

	@Test
	void theThroughputIsReadAsWrkPrintsIt() {
		assertThat(WrkCheck.throughput(OUTPUT.formatted(""))).isEqualTo(7405.18);
	}

	@Test
	void aRequestThatFailedSpoilsTheComparison() {
		for (String failure : new String[] { "  Socket errors: connect 0, read 3, write 0, timeout 0\n",
				"  Non-2xx or 3xx responses: 4\n" }) {
			assertThatExceptionOfType(BenchFailure.class)
				.isThrownBy(() -> WrkCheck.throughput(OUTPUT.formatted(failure)))
				.withMessageContaining(failure.strip());
		}
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> WrkCheck.throughput("unable to connect to 127.0.0.1:1 Connection refused\n"));
	}

}
