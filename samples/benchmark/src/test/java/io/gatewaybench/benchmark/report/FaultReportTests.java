package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.WarmupCurve;

import static org.assertj.core.api.Assertions.assertThat;

class FaultReportTests {

	private static final Counts GOOD = new Counts(8_000, 8_000, 0, 0, 0, 0, 0, 0);

	private static final Counts BAD = new Counts(14_000, 13_990, 5, 1, 0, 3, 1, 0);

	private static final FaultResult.ExtraClients NO_CROWD = new FaultResult.ExtraClients(0, 0, null);

	private static final FaultResult CLEAN = fault("kill", GOOD, 7_420.0, 1, 1, 31.0, 250.0);

	@Test
	void aRowHasTheFailedByKindAndWhatTheGatewayDid() {
		assertThat(new FaultReport(results(fault("reset", BAD, 7_000.0, 2, 2, 31.0, 1_250.0))).toText())
			.contains("WebFlux, 2,000 requests per second")
			.containsPattern(
					"reset +7.00 s +30,000 +10 +5 +1 +0 +3 +1 +0 +30,040 +40 +31.0 ms +2 +1.25 s +6.10 ms +31.0 ms +1.20 s +yes");
	}

	@Test
	void anInstanceThatStaysInTheRotationIsSaidToBeNeverOut() {
		assertThat(new FaultReport(results(fault("slow", GOOD, 7_000.0, 0, 0, null, null))).toText())
			.contains(" never ", " never out ")
			.doesNotContain("!");
	}

	@Test
	void failuresAreExplained() {
		assertThat(new FaultReport(results(fault("reset", BAD, 7_000.0, 2, 2, 31.0, 1_250.0))).toText())
			.contains("WebFlux, reset: 5 × 502; GET /a: expected status 200, got 502");
		assertThat(new FaultReport(results(CLEAN)).toMarkdown()).contains("- None.");
	}

	@Test
	void whatSpeaksAgainstTheFiguresIsSaid() {
		FaultResult early = new FaultResult("WebFlux", "kill", BAD, GOOD, GOOD, Map.of(), List.of(), 1, 14_000, 0, 1, 0,
				false, 1.0, null, latency(), NO_CROWD, 0, List.of())
			.with(List.of("2 retries, though no instance failed."));
		FaultResult lost = fault("freeze", new Counts(2, 1, 0, 0, 0, 0, 0, 0), 7_000.0, 0, 0, null, null);
		FaultResults results = SampleResults.with(results(early, lost), "status", Status.INTERRUPTED, "failure",
				"interrupted", "warmups", List.of(new WarmupCurve("WebFlux", 1, List.of(), null, true)));
		assertThat(new FaultReport(results).toText()).contains("! The run was interrupted.",
				"! WebFlux was not known to be warm when its first fault came.",
				"! WebFlux, kill: 2 retries, though no instance failed.",
				"! WebFlux, kill: 10 of the failed requests were sent before the fault.",
				"! WebFlux, kill: the instance was not back before the load was over.",
				"! WebFlux, freeze: it is not known of every request what became of it.");
		assertThat(results.balanced()).isFalse();
		assertThat(results.held()).isFalse();
	}

	@Test
	void markdownHasTheTableAndTheEnvironment() {
		assertThat(new FaultReport(results(CLEAN)).toMarkdown()).contains(
				"| kill | 7.42 s | 30,000 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 30,040 | 40 | 31.0 ms | 1 | 250 ms | 6.10 ms | 31.0 ms | 1.20 s | yes |",
				"heap of the gateway: 512m");
	}

	@Test
	void aLineTellsWhatMattersMost() {
		assertThat(FaultReport.line(CLEAN))
			.isEqualTo("WebFlux, kill: 0 of 30,000 requests failed; retries: 40, ejections: 1");
	}

	private static FaultResults results(FaultResult... faults) {
		return new FaultResults(FaultResults.SCHEMA_VERSION, Status.RUNNING, null, Instant.EPOCH, null,
				new FaultResults.Settings(2_000, "512m", Duration.ofSeconds(60), Duration.ofSeconds(4),
						Duration.ofSeconds(7), Duration.ofSeconds(10)),
				SampleResults.of("A title", Status.COMPLETE).environment(), List.of(), List.of(faults));
	}

	private static FaultResult fault(String id, Counts during, double outageMs, long ejections, long recoveries,
			Double ejectedAfterMs, Double backAfterMs) {
		return new FaultResult("WebFlux", id, GOOD, during,
				new Counts(30_000 - 8_000 - during.intended(), 30_000 - 8_000 - during.intended(), 0, 0, 0, 0, 0, 0),
				(during.httpError() > 0) ? Map.of(200, 29_990L, 502, during.httpError()) : Map.of(200, 30_000L),
				(during.failed() > 0) ? List.of("GET /a: expected status 200, got 502") : List.of(), outageMs, 30_040,
				40, ejections, recoveries, false, ejectedAfterMs, backAfterMs, latency(), NO_CROWD, 0, List.of());
	}

	private static LatencySummary latency() {
		return new LatencySummary(14_000, 7.0, 5.0, 6.1, 6.5, 7.0, 31.0, 40.0, 1_200.0);
	}

}
