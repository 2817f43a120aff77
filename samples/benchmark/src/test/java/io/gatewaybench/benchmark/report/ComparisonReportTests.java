package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.suite.Grouping;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonReportTests {

	@Test
	void everyFigureOfBothStandsBesideItsRatio() {
		assertThat(report(results(400, 404, 398), results(800, 812, 790)).lines())
			.startsWith("# Two runs side by side", "", "- A is a: A title, 2026-01-02T03:04:05Z, 3 starts.",
					"- B is b: A title, 2026-01-02T03:04:05Z, 3 starts.", "",
					"The same in both: machine, JDK, heap, load, seed, grouping, commit, build, library version.", "")
			.anyMatch((line) -> line.matches(
					"\\| WebFlux, 16 conn\\. \\| CPU per request +\\| +401 µs \\| +801 µs \\| +2\\.00 \\(1\\.9\\d–2\\.0\\d\\) \\|"))
			.noneMatch((line) -> line.startsWith("Only in"));
	}

	@Test
	void oneStartHasARatioWithoutAnInterval() {
		assertThat(report(results(400, 402, 399), results(800)))
			.containsPattern("CPU per request +\\| +400 µs \\| +800 µs \\| +2\\.00 \\|");
	}

	@Test
	void errorsAreSaidBesideTheFigures() {
		assertThat(report(results(400, 402, 399), results(List.of(SampleResults.lossy("webflux-c16", "WebFlux", 1)))))
			.containsPattern("errors +\\| +0 \\| +20 \\(4\\.00 %\\) \\| +n/a \\|");
	}

	@Test
	void whatDiffersBetweenTheRunsIsSaidFirstWithWhatItMeans() {
		RunResults here = results(400, 402, 399);
		assertThat(report(here, elsewhere(here))).contains(
				"""
						The same in both: heap, library version.

						- Different machines (A: Some CPU; B: Other CPU): ratios of CPU time mean little.
						- Different JDKs (A: 25.0.1 (Some VM); B: 21.0.9 (Some VM)): the JVM alone may make a difference.
						- Different loads (A: slices of 2 s; B: slices of 8 s): the gateways had different work to do, and ratios mean little.
						- Different seeds (A: 42; B: 43): other requests in another order add noise.
						- Different groupings (A: cgroups (v1) of their own; B: one session): latency may differ for that alone.
						- Perhaps different commits (A: abc123 with changes; B: unknown): this may be what you compare.
						- Different builds (A: gateway-webflux.jar 0123456; B: gateway-webflux.jar fedcba9): this may be what you compare.

						""");
	}

	@Test
	void whatOnlyOneHasIsListed() {
		List<ScenarioResult> more = new ArrayList<>(starts("webflux-c16", 400, 402, 399));
		more.add(SampleResults.good("webmvc-c16", "WebMVC", 1));
		assertThat(report(results(400, 402, 399), results(more))).endsWith("\nOnly in B: WebMVC, 16 conn.\n");
		assertThat(new ComparisonReport(new NamedRun("a", results(400)),
				new NamedRun("b", results(List.of(SampleResults.good("webmvc-c16", "WebMVC", 1)))))
			.isEmpty()).isTrue();
	}

	@Test
	void namesBreakOutOfNothing() {
		RunResults hostile = SampleResults.of(SampleResults.HOSTILE, Status.INTERRUPTED,
				SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1));
		assertThat(new ComparisonReport(new NamedRun("a\n# b", hostile), new NamedRun(SampleResults.HOSTILE, hostile))
			.render()).doesNotContain("<script", "\n# b")
			.contains("- B is &lt;script>alert(\"1\")&lt;/script> &amp; \\| ':", "The run was interrupted;");
	}

	@Test
	void theHistoryHasALinePerRunTheOldestFirst() {
		RunResults late = results(400, 402, 399);
		RunResults early = elsewhere(results(List.of(SampleResults.lossy("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", SampleResults.HOSTILE, 1, 500))));
		assertThat(HistoryReport.render(List.of(late, early, late, SampleResults.of("Empty", Status.FAILED)),
				Metric.CPU, List.of("direct-c16", "webflux-c16", "webmvc-c16")))
			.startsWith("""
					# CPU per request

					| time                 | commit              | machine            |     webflux-c16 | webmvc-c16 |
					|----------------------|---------------------|--------------------|----------------:|-----------:|
					| 2026-01-01T00:00:00Z | n/a                 | Other CPU, 2 cores | 395 µs (failed) |     500 µs |
					| 2026-01-02T03:04:05Z | abc123 with changes | Some CPU, 2 cores  |          400 µs |        n/a |

					""");
	}

	private static String report(RunResults first, RunResults second) {
		return new ComparisonReport(new NamedRun("a", first), new NamedRun("b", second)).render();
	}

	private static RunResults results(double... cpuMicros) {
		return results(starts("webflux-c16", cpuMicros));
	}

	private static RunResults results(List<ScenarioResult> scenarios) {
		return SampleResults.of("A title", Status.COMPLETE, scenarios.toArray(ScenarioResult[]::new));
	}

	private static List<ScenarioResult> starts(String id, double... cpuMicros) {
		List<ScenarioResult> starts = new ArrayList<>();
		for (double micros : cpuMicros) {
			starts.add(SampleResults.good(id, "WebFlux", starts.size() + 1, micros));
		}
		return starts;
	}

	/**
	 * The same figures of a run that differs in all that a run can differ in.
	 */
	private static RunResults elsewhere(RunResults run) {
		Environment environment = run.environment();
		return SampleResults.with(run, "startedAt", Instant.parse("2026-01-01T00:00:00Z"), "settings",
				SampleResults
					.with(run.settings(), "slice", Duration.ofSeconds(8), "seed", 43L, "grouping", Grouping.SHARED),
				"environment",
				new Environment("Other CPU", environment.cores(), environment.memoryBytes(), environment.os(),
						Environment.GroupedBy.NOTHING, "21.0.9", environment.jvm(), null, null,
						Map.of("gateway-webflux.jar", "fedcba9876543210"), Map.of(), environment.libraries(), Map.of(),
						List.of(), List.of()));
	}

}
