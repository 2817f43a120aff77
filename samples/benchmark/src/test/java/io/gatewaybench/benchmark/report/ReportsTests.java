package io.gatewaybench.benchmark.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReportsTests {

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE,
			SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.good("webflux-c16", "WebFlux", 1));

	@TempDir
	private Path directory;

	@Test
	void theOverviewHasARowPerVariantInTheOrderOfTheSuite() {
		assertThat(Overview.of(RESULTS).lines()).containsExactly(
				List.of("WebFlux, 16 conn.", "0.50 ms", "4.50 ms", "395 µs", "2,529/s", "430.1/s", "0", "512 MiB"),
				List.of("WebMVC, 16 conn. failed", "0.50 ms !", "4.50 ms !", "395 µs !", "2,529/s !", "430.1/s !",
						"20 (4.00 %)", "512 MiB !"));
	}

	@Test
	void theOverviewHasIntervalsAndSaysHowManyBlocksCount() {
		RunResults results = SampleResults.of("A title", Status.COMPLETE,
				SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webflux-c16", "WebFlux", 2, 440), SampleResults.lossy("webflux-c16", "WebFlux", 3));
		assertThat(Overview.of(results).lines()).containsExactly(List.of(
				"WebFlux, 16 conn. (2 of 3 blocks undisturbed) failed", "0.50 ms (0.500–0.500)", "4.50 ms (4.50–4.50)",
				"420 µs (229–769)", "2,384/s (1,301–4,367)", "430.1/s (430–430)", "20 (0.08 %)", "512 MiB (512–512)"));
	}

	@Test
	void aPublishedFigureStandsBesideOursAndTheMaximum() {
		Table table = (Table) Published.sections(RESULTS).getFirst();
		assertThat(table.lines()).containsExactly(
				List.of("P99 of the service time, ms", "WebFlux, 16 conn.", "1,530", "1,530", "n/a"),
				List.of("throughput, req/s", "WebFlux, 16 conn.", "20.2", "430", "444"),
				List.of("throughput, req/s", "WebMVC, 16 conn.", "n/a", "430 !", "444"),
				List.of("errors, %", "WebFlux, 16 conn.", "3.90", "n/a", "n/a"));
		assertThat(table.note()).contains("Somebody's figures (2025)");
	}

	@Test
	void claimsAndPeaksHaveTablesOfTheirOwn() {
		assertThat(Claims.table(RESULTS).lines()).containsExactly(List.of("Both are as fast.",
				"the same throughput, 1.00 times", "n/a", "we have no valid measurement of both"));
		Table peaks = Costs.peaks(RESULTS);
		assertThat(peaks.head()).containsExactly("row", "start-up", "peak CPU", "peak threads");
		assertThat(peaks.lines()).containsExactly(List.of("WebFlux, 16 conn.", "4.20 s", "1.25 cores", "44.0"));
	}

	@Test
	void aPercentileWithoutEnoughSamplesIsNotAvailable() {
		assertThat(new Measurements(RESULTS).all().lines().getLast()).containsExactly("WebMVC, 16 conn.", "430.1/s",
				"20", "6.10 ms", "38.3 ms", "265 ms", "n/a", "2.00 s", "≥ 10 s", "395 µs", "512 MiB",
				"invalid, failed");
	}

	@Test
	void errorsAreExplainedByKind() {
		assertThat(new Measurements(RESULTS).errors().sentences()).hasSize(3)
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 12 × timeout (no complete answer"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 3 × unexpected status"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 5 × reset"));
	}

	@Test
	void whatIsExcludedHasItsReason() {
		assertThat(new Measurements(RESULTS).excluded().lines()).containsExactly(
				List.of("WebMVC, 16 conn.", "other programs took 30.0 % of the CPU time, more than 5 %", "nothing"));
	}

	@Test
	void variantsAreComparedWithinTheirBlocks() {
		RunResults results = SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1),
				SampleResults.direct(2), SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webflux-c16", "WebFlux", 2, 440),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 800), SampleResults.good("webmvc-c16", "WebMVC", 2, 880));
		assertThat(Compared.of(results).lines()).containsExactly(List.of("WebMVC, 16 conn.", "WebFlux, 16 conn.",
				"2.00 (2.00–2.00)", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =",
				"1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) ="));
		assertThat(Costs.gateways(results).rows()).hasSize(2);
		assertThat(new Measurements(results).warmups().lines())
			.containsExactly(List.of("WebFlux", "1", "900 → 410 → 400", "12.5", "no"));
	}

	@Test
	void settingsInWhichVariantsDifferStandApart() {
		RunResults results = SampleResults.of("A title", Status.COMPLETE,
				SampleResults.good("webflux-c16", "gateway-webflux", 1), SampleResults.good("webmvc-c16", "other", 1));
		Setup setup = new Setup(results, RawFiles.NONE);
		assertThat(setup.differences().head()).containsExactly("setting", "gateway-webflux", "other");
		assertThat(setup.differences().lines()).containsExactly(List.of("a", "b", "–"),
				List.of("jar", "gateway-webflux.jar", "other.jar"), List.of("library spring-web", "7.0.1", "–"));
		assertThat(setup.common().lines()).containsExactly(List.of("JVM flag UseG1GC", "on"),
				List.of("JVM option -Xmx2g", "yes"));
	}

	@Test
	void bothFilesAreWrittenAndLinkToTheOthers() throws Exception {
		Files.createDirectories(this.directory.resolve("raw/a b"));
		Files.writeString(this.directory.resolve("raw/a b/x:1 (2)#.csv"), "");
		Path html = Reports.write(RESULTS, this.directory);
		assertThat(html).hasFileName("report.html").content().contains("href=\"./raw/a%20b/x:1%20%282%29%23.csv\"");
		assertThat(this.directory.resolve("report.md")).content().contains("(./raw/a%20b/x:1%20%282%29%23.csv)");
	}

	@Test
	void everythingIsEscapedInMarkdown() {
		RunResults hostile = SampleResults.of(SampleResults.HOSTILE, Status.COMPLETE,
				SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1));
		assertThat(MarkdownReport.render(new Findings(hostile, RawFiles.NONE))).doesNotContain("<script")
			.contains("&lt;script>alert(\"1\")&lt;/script> &amp; \\| '");
	}

	@Test
	void markdownBeginsWithTheVerdictAndTheTable() {
		assertThat(MarkdownReport.render(new Findings(RESULTS, RawFiles.NONE))).startsWith("""
				# A title

				**Failed.** WebMVC, 16 conn. failed: 4.00 % of the requests failed, more than the limit of 0.1 %.

				- Something disturbed every measurement that a comparison needs.

				| variant | overhead P50 |""");
	}

	@Test
	void theTerminalShowsTheVerdictTheTableAndWhatWasExcluded() {
		assertThat(TerminalReport.render(RESULTS)).startsWith("\nFailed. WebMVC, 16 conn. failed: 4.00 %")
			.contains("WebFlux, 16 conn.", ": something other than the gateway disturbed every",
					"Errors: WebMVC, 16 conn.: 12", "Excluded: WebMVC, 16 conn.: other programs took 30.0 %");
	}

	@Test
	void aRunWithoutMeasurementsIsRenderedToo() {
		RunResults empty = SampleResults.of("A title", Status.INTERRUPTED);
		assertThat(MarkdownReport.render(new Findings(empty, RawFiles.NONE)))
			.contains("0 of 2 measurements are in this report");
		assertThat(TerminalReport.render(empty)).contains("0 of 2 measurements are in this report")
			.doesNotContain("Errors");
	}

}
