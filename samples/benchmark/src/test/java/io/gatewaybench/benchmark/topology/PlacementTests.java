package io.gatewaybench.benchmark.topology;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PlacementTests {

	private static final List<String> SESSION = List.of("setsid");

	@Test
	@EnabledOnOs(OS.LINUX)
	void theGatewayGetsHalfOfTheCoresAndNobodyElseIsOnThem() {
		assertThat(Placement.pinned(5).gateway()).containsExactly("setsid", "taskset", "-c", "2-4");
		assertThat(Placement.pinned(5).others()).containsExactly("setsid", "taskset", "-c", "0-1");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void everyProcessHasASessionOfItsOwn() {
		assertThat(Placement.usual().gateway()).isEqualTo(SESSION);
		assertThat(Placement.usual().others()).isEqualTo(SESSION);
	}

	@Test
	void whatTellsTheProcessesApartIsKnown() {
		assertThat(new Placement(SESSION, SESSION, new ControlGroups(1, Path.of("/cpu"))).groupedBy())
			.isEqualTo(GroupedBy.CGROUPS_V1);
		assertThat(new Placement(SESSION, SESSION, new ControlGroups(2, Path.of("/all"))).groupedBy())
			.isEqualTo(GroupedBy.CGROUPS_V2);
		assertThat(new Placement(SESSION, SESSION, null).groupedBy()).isEqualTo(GroupedBy.SESSIONS);
		assertThat(new Placement(List.of(), List.of(), null).groupedBy()).isEqualTo(GroupedBy.NOTHING);
	}

	@Test
	void theGeneratorEntersItsGroupBeforeAnythingElse() {
		ControlGroups groups = new ControlGroups(1, Path.of("/cpu"));
		assertThat(new Placement(SESSION, SESSION, groups).on(0, 1).generator()).startsWith("/bin/sh", "-c")
			.endsWith("/cpu", "setsid", "taskset", "-c", "0-1");
		assertThat(new Placement(SESSION, SESSION, null).generator()).containsExactly("setsid");
	}

	@Test
	void oneCoreCannotBeShared() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Placement.pinned(1))
			.withMessage("--pin needs 2 cores or more, but there is 1. Leave it out.");
	}

}
