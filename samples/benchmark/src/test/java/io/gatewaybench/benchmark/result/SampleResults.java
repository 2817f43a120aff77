package io.gatewaybench.benchmark.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import io.gatewaybench.benchmark.suite.Published;

/**
 * Results with figures that are easy to recognise.
 */
public final class SampleResults {

	/**
	 * Text that breaks out of everything that does not escape it.
	 */
	public static final String HOSTILE = "<script>alert(\"1\")</script> & | '";

	private SampleResults() {
	}

	public static RunResults of(String title, RunResults.Status status, int repeat, ScenarioResult... scenarios) {
		return new RunResults(RunResults.SCHEMA_VERSION, "gateway", title, "Somebody's figures (2025)", status,
				(status == RunResults.Status.FAILED) ? "The gateway fell over; see x.log" : null,
				Instant.parse("2026-01-02T03:04:05Z"), Instant.parse("2026-01-02T03:09:05Z"),
				new RunResults.Settings(Duration.ofSeconds(20), Duration.ofSeconds(30), repeat, "2g",
						Duration.ofSeconds(10), 42),
				new Environment("Some CPU", 2, 24L << 30, "Linux 6.1 amd64", "25.0.1", "Some VM", "abc123", true,
						Map.of("gateway-webflux.jar", "0123456789abcdef"), List.of("java", "-jar", "backend-sim.jar"),
						List.of("run", "--only", HOSTILE)),
				List.of("webflux-c16", "webmvc-c16"), List.of(scenarios));
	}

	public static ScenarioResult good(String id, String variant, int block) {
		return scenario(id, variant, block, new Counts(12_900, 12_900, 0, 0, 0, 0, 0), latency(12_900, 1530.0),
				latency(12_900, 1530.0), new Verdict(true, List.of()));
	}

	public static ScenarioResult lossy(String id, String variant, int block) {
		return scenario(id, variant, block, new Counts(500, 480, 3, 12, 5, 0, 0), latency(480, null),
				latency(500, 10_000.0),
				new Verdict(false, List.of("4.00 % of the requests got no good answer, more than 0.1 %")));
	}

	private static LatencySummary latency(long count, Double p99) {
		return new LatencySummary(count, 37.5, 15.8, 6.1, 38.34, 265.0, p99, null, 2000.5);
	}

	private static ScenarioResult scenario(String id, String variant, int block, Counts counts, LatencySummary service,
			LatencySummary slo, Verdict verdict) {
		List<SecondSample> series = new ArrayList<>();
		for (int second = 0; second < 30; second++) {
			series.add(new SecondSample(second, 430, 430 + second % 5, 0, 30.0, 280.0, 316.0));
		}
		return new ScenarioResult(id, variant + ", 16 conn.", variant, block, 16, Instant.parse("2026-01-02T03:05:05Z"),
				30, counts, 430.1, service, slo,
				List.of(new TypeFigures("heavy", 0.4, counts, Map.of(200, counts.ok()), List.of("GET /a: " + HOSTILE),
						service, 69.4)),
				series,
				new GatewayFigures(4200, 5.1, 395.4, 512L << 20, List.of("java", "-Xmx2g", "-jar", variant + ".jar")),
				new GeneratorFigures("embedded", 0.4, 0), Bound.of(16, 36.0, 430.1),
				new Published(6064, 235, 235, 0, 20.21, new Published.Quantiles(6.10, 8.34, 637, 1530), 105, 2000,
						new Published.Quantiles(3.11, 4.01, 261, 1320)),
				verdict);
	}

}
