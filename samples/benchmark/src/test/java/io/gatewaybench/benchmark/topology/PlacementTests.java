package io.gatewaybench.benchmark.topology;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;
import io.gatewaybench.benchmark.suite.Grouping;
import org.jspecify.annotations.Nullable;

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
		assertThat(Placement.of(Grouping.OWN).gateway()).containsExactly("setsid");
		assertThat(Placement.of(Grouping.OWN).others()).containsExactly("setsid");
		assertThat(Placement.of(Grouping.SHARED)).isEqualTo(new Placement(List.of(), List.of(), Grouping.SHARED, null));
	}

	@Test
	void whatTellsTheProcessesApartIsKnown() {
		assertThat(placement(Grouping.OWN, new ControlGroups(1, Path.of("/cpu"))).groupedBy())
			.isEqualTo(GroupedBy.CGROUPS_V1);
		assertThat(placement(Grouping.OWN, new ControlGroups(2, Path.of("/all"))).groupedBy())
			.isEqualTo(GroupedBy.CGROUPS_V2);
		assertThat(placement(Grouping.OWN, null).groupedBy()).isEqualTo(GroupedBy.SESSIONS);
		assertThat(placement(Grouping.SHARED, null).groupedBy()).isEqualTo(GroupedBy.NOTHING);
	}

	@Test
	void theGeneratorEntersItsGroupBeforeAnythingElse() {
		ControlGroups groups = new ControlGroups(1, Path.of("/cpu"));
		assertThat(placement(Grouping.OWN, groups).on(0, 1).generator()).startsWith("/bin/sh", "-c")
			.endsWith("/cpu", "setsid", "taskset", "-c", "0-1");
		assertThat(placement(Grouping.OWN, null).generator()).containsExactly("setsid");
	}

	private static Placement placement(Grouping grouping, @Nullable ControlGroups groups) {
		return new Placement(grouping.command(), grouping.command(), grouping, groups);
	}

	@Test
	void oneCoreCannotBeShared() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Placement.pinned(Grouping.SHARED, 1))
			.withMessage("--pin needs 2 cores or more, but there is 1. Leave it out.");
	}

}
