package io.gatewaybench.benchmark.run;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatewaybench.benchmark.failure.BenchFailure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PinningTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void theGatewayGetsHalfOfTheCoresAndNobodyElseIsOnThem() {
		assertThat(Pinning.of(2).gateway()).containsExactly("taskset", "-c", "1");
		assertThat(Pinning.of(2).others()).containsExactly("taskset", "-c", "0");
		assertThat(Pinning.of(5).gateway()).containsExactly("taskset", "-c", "2-4");
		assertThat(Pinning.of(5).others()).containsExactly("taskset", "-c", "0-1");
	}

	@Test
	void oneCoreCannotBeShared() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Pinning.of(1))
			.withMessage("--pin needs 2 cores or more, but there is 1. Leave it out.");
	}

}
