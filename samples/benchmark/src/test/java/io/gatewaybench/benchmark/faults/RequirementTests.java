package io.gatewaybench.benchmark.faults;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.result.FaultResult;

import static org.assertj.core.api.Assertions.assertThat;

class RequirementTests {

	private static final Counts GOOD = new Counts(100, 100, 0, 0, 0, 0, 0, 0);

	private static final FaultResult.ExtraClients NO_CROWD = new FaultResult.ExtraClients(0, 0, null);

	@Test
	void anInstanceThatFailsMayBeEjectedAndOthersAskedInItsPlace() {
		FaultResult seen = seen(GOOD, Map.of(200, 100L), 110, 10, 1);
		assertThat(Requirement.KEPT.broken(seen)).isEmpty();
		assertThat(Requirement.UNDISTURBED.broken(seen)).containsExactly("1 ejections, though no instance failed.",
				"10 retries, though no instance failed.");
	}

	@Test
	void whatIsLostIsCounted() {
		FaultResult seen = seen(new Counts(100, 94, 3, 2, 0, 1, 0, 0), Map.of(200, 94L, 500, 1L, 503, 2L), 100, 0, 0);
		assertThat(Requirement.KEPT.broken(seen)).containsExactly("6 requests had no successful response.");
		assertThat(Requirement.UNDISTURBED.broken(seen)).containsExactly("6 requests had no successful response.");
		assertThat(Requirement.TOLD.broken(seen))
			.containsExactly("4 requests failed, and the gateway did not answer them with 502, 503 or 504.");
		assertThat(Requirement.LATE.broken(seen))
			.containsExactly("2 requests failed, and the gateway did not answer them with 502, 503 or 504.");
	}

	@Test
	void attemptsAreBounded() {
		assertThat(Requirement.KEPT.broken(seen(GOOD, Map.of(200, 100L), 151, 51, 0)))
			.containsExactly("151 attempts for 100 requests.");
	}

	@Test
	void clientsBesideTheLoadAndConnectionsCount() {
		FaultResult seen = seen(GOOD, Map.of(200, 100L), 300, 0, 0, new FaultResult.ExtraClients(50, 2, "no answer"),
				3);
		assertThat(Requirement.UNDISTURBED.broken(seen)).containsExactly(
				"2 of 50 clients beside the load were not answered as they must: no answer.",
				"3 connections to the instances were left open.");
	}

	private static FaultResult seen(Counts counts, Map<Integer, Long> statuses, long attempts, long retries,
			long ejections) {
		return seen(counts, statuses, attempts, retries, ejections, NO_CROWD, 0);
	}

	private static FaultResult seen(Counts counts, Map<Integer, Long> statuses, long attempts, long retries,
			long ejections, FaultResult.ExtraClients extraClients, long connectionsLeft) {
		return new FaultResult("WebFlux", "kill", Counts.NONE, counts, Counts.NONE, statuses, List.of(), 1, attempts,
				retries, ejections, ejections, false, null, null,
				new LatencySummary(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), extraClients, connectionsLeft,
				List.of());
	}

}
