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
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonReportTests {

	@Test
	void aFasterRunIsDifferentWithItsRatioAndWhatIsEquivalent() {
		assertThat(report(results(400, 404, 398), results(800, 812, 790)).lines()).startsWith("# Two runs side by side",
				"", "- A is a: A title, 2026-01-02T03:04:05Z, 3 blocks.",
				"- B is b: A title, 2026-01-02T03:04:05Z, 3 blocks.", "",
				"The same in both: machine, JDK, heap, load, design, seed, grouping, commit, build, library version.",
				"",
				"**Different.** WebFlux, 16 conn. in B needs 2.00 (1.94–2.06) times the CPU per request of WebFlux, 16 conn. in A (801 µs beside 401 µs); "
						+ "it is equivalent in P50 of the overhead, P99 of the overhead and throughput.",
				"",
				"| scenario          | figure                |                     A |                     B |             B / A | verdict    |",
				"|-------------------|-----------------------|----------------------:|----------------------:|------------------:|------------|",
				"| WebFlux, 16 conn. | CPU per request       |      401 µs (393–408) |      801 µs (774–828) |  2.00 (1.94–2.06) | different  |")
			.noneMatch((line) -> line.startsWith("Something disturbed") || line.startsWith("Only in"));
	}

	@Test
	void whatIsWithinThreePercentIsEquivalent() {
		assertThat(report(results(400, 402, 399), results(402, 400, 401)))
			.contains("**Equivalent.** Every compared ratio is within 3 % of 1.")
			.doesNotContain("| different", "inconclusive |");
	}

	@Test
	void noiseIsInconclusive() {
		assertThat(report(results(400, 402, 399), results(200, 800, 500)))
			.contains("**Inconclusive.** No difference could be shown, but only 3 of 4 figures are equivalent.")
			.containsPattern("CPU per request .*\\| inconclusive +\\|");
	}

	@Test
	void manyScenariosMakeEachDifferenceHarder() {
		List<ScenarioResult> first = new ArrayList<>(blocks("s0", 400, 410, 390));
		List<ScenarioResult> second = new ArrayList<>(blocks("s0", 430, 440, 420));
		assertThat(report(results(first), results(second))).startsWith("#").contains("**Different.**");
		for (int scenario = 1; scenario < 10; scenario++) {
			first.addAll(blocks("s" + scenario, 400, 410, 390));
			second.addAll(blocks("s" + scenario, 400, 411, 389));
		}
		assertThat(report(results(first), results(second))).contains("**Inconclusive.**");
	}

	@Test
	void oneBlockIsNoEvidence() {
		assertThat(report(results(400, 402, 399), results(800)))
			.contains("**Inconclusive.** Each ratio comes from one undisturbed block")
			.containsPattern("CPU per request .*\\| +2.00 \\| one block \\|");
	}

	@Test
	void whatDiffersBetweenTheRunsIsSaidFirstWithWhatItMeans() {
		RunResults here = results(400, 402, 399);
		assertThat(report(here, elsewhere(here))).contains(
				"""
						The same in both: heap, design, library version.

						- Different machines (A: Some CPU; B: Other CPU): ratios of CPU time mean little.
						- Different JDKs (A: 25.0.1 (Some VM); B: 21.0.9 (Some VM)): the JVM alone may make a difference.
						- Different loads (A: 30 s each; B: 8 s each): the gateways had different work to do, and ratios mean little.
						- Different seeds (A: 42; B: 43): other requests in another order add noise.
						- Different groupings (A: cgroups (v1) of their own; B: one session): latency may differ for that alone.
						- Perhaps different commits (A: abc123 with changes; B: unknown): this may be what you compare.
						- Different builds (A: gateway-webflux.jar 0123456; B: gateway-webflux.jar fedcba9): this may be what you compare.

						**Equivalent.**""");
	}

	@Test
	void aGatewayThatFailedIsSaidFirst() {
		String report = report(results(400, 402, 399),
				results(List.of(SampleResults.lossy("webflux-c16", "WebFlux", 1))));
		assertThat(report)
			.contains("**Failed.** WebFlux, 16 conn. in B failed: 4.00 % of the requests failed",
					"Something disturbed: WebFlux, 16 conn. in B (1 of 1 blocks)\n")
			.containsPattern("CPU per request .*µs \\([^|]* \\| +395 µs ! \\| +n/a \\| disturbed \\|")
			.containsPattern("errors +\\| +0 \\| +20 \\(4\\.00 %\\) \\| +n/a \\| failed ");
	}

	@Test
	void aDisturbedBlockIsLeftOut() {
		List<ScenarioResult> blocks = new ArrayList<>(blocks("webflux-c16", 800, 804));
		blocks.add(SampleResults.lossy("webflux-c16", "WebFlux", 3));
		assertThat(report(results(400, 404, 398), results(blocks))).contains("needs 2.00 (",
				"Something disturbed: WebFlux, 16 conn. in B (1 of 3 blocks)\n",
				"The comparison counts successful responses only.");
	}

	@Test
	void whatOnlyOneHasIsListed() {
		List<ScenarioResult> more = new ArrayList<>(blocks("webflux-c16", 400, 402, 399));
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
			.contains("- B is &lt;script>alert(\"1\")&lt;/script> &amp; \\| ':", "The run was interrupted; 1 of 2");
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

					| time                 | commit              | machine            |      webflux-c16 | webmvc-c16 |
					|----------------------|---------------------|--------------------|-----------------:|-----------:|
					| 2026-01-01T00:00:00Z | n/a                 | Other CPU, 2 cores |    395 µs failed |     500 µs |
					| 2026-01-02T03:04:05Z | abc123 with changes | Some CPU, 2 cores  | 400 µs (397–404) |        n/a |

					""");
	}

	private static String report(RunResults first, RunResults second) {
		return new ComparisonReport(new NamedRun("a", first), new NamedRun("b", second)).render();
	}

	private static RunResults results(double... cpuMicros) {
		return results(blocks("webflux-c16", cpuMicros));
	}

	private static RunResults results(List<ScenarioResult> scenarios) {
		return SampleResults.of("A title", Status.COMPLETE,
				scenarios.stream().mapToInt(ScenarioResult::block).max().orElseThrow(),
				scenarios.toArray(ScenarioResult[]::new));
	}

	private static List<ScenarioResult> blocks(String id, double... cpuMicros) {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (double micros : cpuMicros) {
			blocks.add(SampleResults.good(id, "WebFlux", blocks.size() + 1, micros));
		}
		return blocks;
	}

	/**
	 * The same figures of a run that differs in all that a run can differ in.
	 */
	private static RunResults elsewhere(RunResults run) {
		Environment environment = run.environment();
		RunResults.Settings settings = run.settings();
		return new RunResults(run.schemaVersion(), run.suite(), run.title(), run.study(), run.status(), run.failure(),
				Instant.parse("2026-01-01T00:00:00Z"), run.finishedAt(),
				new RunResults.Settings(settings.warmup(), Duration.ofSeconds(8), settings.blocks(), settings.starts(),
						settings.heap(), settings.timeout(), 43, false, Grouping.SHARED, Design.FRESH,
						settings.engine()),
				new Environment("Other CPU", environment.cores(), environment.memoryBytes(), environment.os(),
						Environment.GroupedBy.NOTHING, "21.0.9", environment.jvm(), null, null,
						Map.of("gateway-webflux.jar", "fedcba9876543210"), Map.of(), environment.libraries(), Map.of(),
						List.of(), List.of()),
				run.planned(), run.capacity(), run.warmups(), run.scenarios(), run.repeated(), run.analysis(),
				run.thresholds());
	}

}
