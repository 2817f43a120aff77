package io.gatewaybench.benchmark.run;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Grouping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PlacementTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void theGatewayGetsHalfOfTheCoresAndNobodyElseIsOnThem() {
		assertThat(Placement.pinned(Grouping.SHARED, 2).gateway()).containsExactly("taskset", "-c", "1");
		assertThat(Placement.pinned(Grouping.SHARED, 2).others()).containsExactly("taskset", "-c", "0");
		assertThat(Placement.pinned(Grouping.OWN, 5).gateway()).containsExactly("setsid", "taskset", "-c", "2-4");
		assertThat(Placement.pinned(Grouping.OWN, 5).others()).containsExactly("setsid", "taskset", "-c", "0-1");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void everyProcessHasASessionOfItsOwnUnlessTheyShareOne() {
		assertThat(Placement.usualGrouping()).isEqualTo(Grouping.OWN);
		assertThat(Placement.of(Grouping.OWN)).isEqualTo(new Placement(List.of("setsid"), List.of("setsid")));
		assertThat(Placement.of(Grouping.SHARED)).isEqualTo(new Placement(List.of(), List.of()));
	}

	@Test
	void oneCoreCannotBeShared() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Placement.pinned(Grouping.SHARED, 1))
			.withMessage("--pin needs 2 cores or more, but there is 1. Leave it out.");
	}

}
