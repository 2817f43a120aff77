package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.report.Conclusion.Kind;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConclusionTests {

	private static final Verdict GOOD = new Verdict(true, List.of(), List.of(), List.of());

	private static final Verdict FAILED = new Verdict(true, List.of(), List.of(),
			List.of("no response was successful"));

	private static final Verdict DISTURBED = new Verdict(false, List.of(), List.of("other programs took 30 %"),
			List.of());

	@Test
	void aDifferenceIsSaidWithItsRatioAndWhatIsEquivalent() {
		Conclusion conclusion = conclusion(GOOD, 800, 840, 790);
		assertThat(conclusion.kind()).isEqualTo(Kind.DIFFERENT);
		assertThat(conclusion.headline()).matches(
				"WebMVC, 16 conn\\. needs 2\\.0\\d \\(.+–.+\\) times the CPU per request of WebFlux, 16 conn\\. \\(8\\d\\d µs beside 400 µs\\); "
						+ "it is equivalent in P50 of the overhead, P99 of the overhead and throughput\\.");
		assertThat(conclusion.sentences()).isEmpty();
	}

	@Test
	void lessIsSaidAsARatioBelowOne() {
		assertThat(conclusion(GOOD, 200, 204, 198).headline()).contains(" needs 0.502 (");
	}

	@Test
	void whatIsWithinThreePercentIsEquivalent() {
		Conclusion conclusion = conclusion(GOOD, 400, 402, 399);
		assertThat(conclusion.kind()).isEqualTo(Kind.EQUIVALENT);
		assertThat(conclusion.headline()).isEqualTo("Every compared ratio is within 3 % of 1.");
		assertThat(conclusion.sentences()).containsExactly(
				"WebMVC, 16 conn. is equivalent to WebFlux, 16 conn. in CPU per request, P50 of the overhead, P99 of the overhead and throughput.");
	}

	@Test
	void noiseIsInconclusiveAndShowsItsInterval() {
		Conclusion conclusion = conclusion(GOOD, 200, 800, 500);
		assertThat(conclusion.kind()).isEqualTo(Kind.INCONCLUSIVE);
		assertThat(conclusion.headline())
			.isEqualTo("No difference could be shown, but only 3 of 4 figures are equivalent.");
		assertThat(conclusion.sentences()).singleElement()
			.asString()
			.containsPattern("it is inconclusive in CPU per request \\(1\\.08, 0\\.\\d+–\\d\\.\\d+\\)\\.$")
			.doesNotContain("needs");
	}

	@Test
	void oneBlockIsNoEvidence() {
		Conclusion conclusion = conclusion(GOOD, 800);
		assertThat(conclusion.kind()).isEqualTo(Kind.INCONCLUSIVE);
		assertThat(conclusion.headline())
			.isEqualTo("Each ratio comes from one undisturbed block, so a difference can't be told from noise.");
		assertThat(conclusion.sentences()).containsExactly(
				"WebMVC, 16 conn. had 2.00 times the CPU per request, 1.00 times the P50 of the overhead, 1.00 times the P99 of the overhead and 1.00 times the throughput of WebFlux, 16 conn. in the only block.");
	}

	@Test
	void oneStartShowsLargeDifferencesOnly() {
		Conclusion small = Conclusion.of(inOneStart(blocks(GOOD, 360, 363, 358)));
		assertThat(small.kind()).isEqualTo(Kind.INCONCLUSIVE);
		assertThat(small.headline()).isEqualTo("No difference of 20 % or more could be shown.");
		assertThat(small.sentences()).singleElement()
			.asString()
			.startsWith(
					"WebMVC, 16 conn. shows no difference of 20 % or more from WebFlux, 16 conn. in CPU per request (0.901, 0.8");
		assertThat(Conclusion.of(inOneStart(blocks(GOOD, 200, 204, 198))).headline()).contains(" needs 0.502 (");
	}

	@Test
	void theRateThatWasFoundIsComparedAndItsLatencyIsNot() {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (int block = 1; block <= 3; block++) {
			blocks.add(SampleResults.highestRate("WebFlux", block, 900 + block));
			blocks.add(SampleResults.highestRate("WebMVC", block, 450 + block));
		}
		RunResults results = results(3, blocks);
		Conclusion conclusion = Conclusion.of(results);
		assertThat(conclusion.kind()).isEqualTo(Kind.DIFFERENT);
		assertThat(conclusion.headline()).contains("has 0.501 (", " times the throughput of WebFlux")
			.doesNotContain("overhead", "P99 of the");
		assertThat(Setup.loads(Row.of(results)))
			.containsExactly("open model, the highest rate with a P99 of the response time of 400 ms at most");
	}

	@Test
	void aTargetThatFailedIsSaidFirst() {
		Conclusion conclusion = conclusion(FAILED, 200, 204, 198);
		assertThat(conclusion.kind()).isEqualTo(Kind.FAILED);
		assertThat(conclusion.headline())
			.isEqualTo("WebMVC, 16 conn. failed in 3 of 3 blocks. In block 1, no response was successful.");
		assertThat(conclusion.sentences()).singleElement()
			.asString()
			.contains(" needs 0.502 (")
			.endsWith(". The comparison counts successful responses only.");
	}

	@Test
	void errorsOfAllBlocksAreSaidBesideThoseOfTheFirstOneThatFailed() {
		List<ScenarioResult> blocks = new ArrayList<>(blocks(GOOD, 400, 402, 399));
		blocks.set(3, SampleResults.lossy("webmvc-c16", "WebMVC", 2));
		long all = blocks.get(1).counts().intended() + blocks.get(5).counts().intended() + 500;
		assertThat(Conclusion.of(results(3, blocks)).headline()).isEqualTo(
				"WebMVC, 16 conn. failed in 1 of 3 blocks. In block 2, 4.00 %% of the requests failed, more than the limit of 0.1 %%. In all blocks, 20 of %s requests failed."
					.formatted(Figures.count(all)));
	}

	@Test
	void oneFailureOfManyIsSaidFirstAndIsNotWhatTheRunComesTo() {
		List<ScenarioResult> blocks = new ArrayList<>(blocks(GOOD, 400, 402, 399));
		blocks.set(1, judged(blocks.get(1), FAILED));
		Conclusion conclusion = Conclusion.of(results(3, blocks));
		assertThat(conclusion.kind()).isEqualTo(Kind.EQUIVALENT);
		assertThat(conclusion.headline()).startsWith("WebMVC, 16 conn. failed in 1 of 3 blocks");
	}

	@Test
	void whatIsDisturbedInEveryBlockIsComparedWithNothing() {
		Conclusion conclusion = conclusion(DISTURBED, 800, 840, 790);
		assertThat(conclusion.kind()).isEqualTo(Kind.INCONCLUSIVE);
		assertThat(conclusion.headline()).isEqualTo("Something disturbed every measurement that a comparison needs.");
		assertThat(conclusion.sentences()).isEmpty();
	}

	@Test
	void aFigureThatIsSoundInADisturbedMeasurementIsComparedAlone() {
		Conclusion conclusion = conclusion(
				new Verdict(false, List.of(Metric.CPU), List.of("other machines took 3 %"), List.of()), 800, 840, 790);
		assertThat(conclusion.kind()).isEqualTo(Kind.DIFFERENT);
		assertThat(conclusion.headline()).contains("times the CPU per request").doesNotContain("equivalent");
	}

	@Test
	void oneVariantIsComparedWithNothing() {
		Conclusion conclusion = Conclusion.of(SampleResults.of("A title", Status.COMPLETE, 1, SampleResults.direct(1),
				SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(conclusion.kind()).isEqualTo(Kind.NOTHING);
		assertThat(conclusion.headline()).startsWith("Nothing was compared");
	}

	@Test
	void withoutAMeasurementThereIsNoVerdict() {
		Conclusion conclusion = Conclusion.of(SampleResults.of("A title", Status.INTERRUPTED, 1));
		assertThat(conclusion).isEqualTo(new Conclusion(Kind.NOTHING, "Nothing was measured.", List.of()));
	}

	@Test
	void throughputThatTheBackendsDecideIsNotCompared() {
		Conclusion conclusion = Conclusion.of(results(3,
				blocks(GOOD, 400, 402, 399).stream()
					.map((block) -> bounded(block, TheoreticalMaximum.of(16, 0, null, 36.0, 440)))
					.toList()));
		assertThat(conclusion.sentences()).hasSize(2)
			.contains(
					"All gateways reached at least 97 % of the highest throughput that is possible here. The latency of the backends and the number of users, or of threads, set it.");
		assertThat(conclusion.sentences().getFirst()).doesNotContain("throughput");
	}

	@Test
	void memoryIsNamedOnlyWhereItDiffers() {
		List<ScenarioResult> blocks = blocks(GOOD, 400, 402, 399);
		assertThat(Conclusion.of(results(3, blocks)).headline()).doesNotContain("memory");
		Conclusion conclusion = Conclusion.of(results(3,
				blocks.stream()
					.map((block) -> block.variant().equals("WebMVC")
							? SampleResults.resident(block, (600 + block.block()) * 1024L * 1024) : block)
					.toList()));
		assertThat(conclusion.kind()).isEqualTo(Kind.DIFFERENT);
		assertThat(conclusion.headline()).contains("WebMVC, 16 conn. has ",
				" times the resident memory of WebFlux, 16 conn. (602 MiB beside ");
	}

	@Test
	void whatDiffersInMemoryAloneComesBeforeWhatDoesNotDiffer() {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (int block = 1; block <= 3; block++) {
			blocks.add(SampleResults.good("baseline-c16", "Baseline", block, 400 + block));
		}
		blocks(GOOD, 400, 402, 399).forEach((block) -> blocks.add(block.variant().equals("WebMVC")
				? SampleResults.resident(block, (900 + block.block()) * 1024L * 1024) : block));
		assertThat(Conclusion.of(results(3, blocks)).headline())
			.startsWith("WebMVC, 16 conn. has 1.76 (1.76–1.77) times the resident memory of Baseline, 16 conn.");
	}

	@Test
	void whatChanceMayMakeAmongManyComparisonsIsSaid() {
		List<ScenarioResult> blocks = new ArrayList<>(blocks(GOOD, 500, 540, 580));
		assertThat(Conclusion.of(results(3, blocks)).headline()).contains("needs 1.3");
		// The same one of four
		for (String other : List.of("a", "b", "c")) {
			for (int block = 1; block <= 3; block++) {
				blocks.add(SampleResults.good(other + "-c16", other, block, 400 + block));
			}
		}
		assertThat(Conclusion.of(results(3, blocks)).sentences()).last(InstanceOfAssertFactories.STRING)
			.startsWith("WebMVC, 16 conn. is equivalent to a, 16 conn. in P50 of the overhead")
			.endsWith(
					"; it had 1.34 (1.12–1.60) times the CPU per request, which may be chance, as many figures are compared.");
	}

	@Test
	void whatABurstDidIsSaid() {
		RunResults results = results(1, List.of(SampleResults.burst("WebFlux", 2), SampleResults.burst("WebMVC", 0),
				SampleResults.burst("Third", 100)));
		assertThat(Conclusion.of(results).sentences().getLast()).isEqualTo(
				"In a burst of 4,300 requests/s, the longest request took 3.16 s on WebFlux, which recovered after 2 s; 3.16 s on WebMVC, which recovered at once; 3.16 s on Third, which had not recovered when the measurement ended.");
		assertThat(Setup.loads(Row.of(results))).containsExactly("open model, 430 requests/s, at times 4,300");
	}

	@Test
	void anIntervalThatTellsNothingIsNotShown() {
		assertThat(conclusion(GOOD, 4, 40_000).sentences()).singleElement()
			.asString()
			.contains("CPU per request (1.00, blocks differ widely)");
	}

	private static Conclusion conclusion(Verdict verdict, double... cpuMicros) {
		return Conclusion.of(results(cpuMicros.length, blocks(verdict, cpuMicros)));
	}

	/**
	 * WebFlux with about 400 µs, and WebMVC with these, which has the verdict.
	 */
	private static List<ScenarioResult> blocks(Verdict verdict, double... cpuMicros) {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (int block = 1; block <= cpuMicros.length; block++) {
			blocks.add(SampleResults.good("webflux-c16", "WebFlux", block, 400));
			blocks.add(judged(SampleResults.good("webmvc-c16", "WebMVC", block, cpuMicros[block - 1]), verdict));
		}
		return blocks;
	}

	private static RunResults results(int blocks, List<ScenarioResult> scenarios) {
		return SampleResults.of("A title", Status.COMPLETE, blocks, scenarios.toArray(ScenarioResult[]::new));
	}

	private static RunResults inOneStart(List<ScenarioResult> blocks) {
		return results(3,
				blocks.stream().map((block) -> copy(block, 1, block.theoreticalMaximum(), block.verdict())).toList());
	}

	private static ScenarioResult judged(ScenarioResult block, Verdict verdict) {
		return copy(block, block.start(), block.theoreticalMaximum(), verdict);
	}

	private static ScenarioResult bounded(ScenarioResult block, TheoreticalMaximum maximum) {
		return copy(block, block.start(), maximum, block.verdict());
	}

	private static ScenarioResult copy(ScenarioResult block, int start, TheoreticalMaximum maximum, Verdict verdict) {
		return new ScenarioResult(block.id(), block.title(), block.variant(), block.control(), block.baseline(),
				block.load(), block.block(), start, block.startedAt(), block.seconds(), block.counts(),
				block.okPerSecond(), block.latency(), block.types(), block.series(), block.gateway(), block.generator(),
				block.resources(), block.probed(), maximum, verdict);
	}

}
