package io.gatewaybench.benchmark.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;

import static org.assertj.core.api.Assertions.assertThat;

class ReportsTests {

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE, 1,
			SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.good("webflux-c16", "WebFlux", 1));

	@TempDir
	private Path directory;

	@Test
	void theTableHasOursThePublishedFiguresAndTheBound() {
		Table compared = new Findings(RESULTS).compared();
		assertThat(compared.rows().getFirst()).containsExactly("WebFlux, 16 conn.", "444.4", "36.0 ms", "96.8 %",
				"3.90", "1,530 / 1,530", "430 / 20.2");
		assertThat(compared.head()).endsWith("errors, %: published", "P99 of the service time, ms: ours / published",
				"throughput, req/s: ours / published");
	}

	@Test
	void rowsHaveTheOrderOfTheSuiteAndNotOfExecution() {
		assertThat(new Findings(RESULTS).measured().rows()).extracting(List::getFirst)
			.containsExactly("WebFlux, 16 conn.", "WebMVC, 16 conn.");
	}

	@Test
	void aPercentileWithoutEnoughSamplesIsNotAvailable() {
		assertThat(new Findings(RESULTS).measured().rows().getLast()).containsExactly("WebMVC, 16 conn.", "430.1", "20",
				"6.10 ms", "38.3 ms", "265 ms", "n/a", "2.00 s", "≥ 10 s", "395 µs", "512 MiB", "invalid, failed");
	}

	@Test
	void errorsAreExplainedByKind() {
		assertThat(new Findings(RESULTS).errors()).hasSize(3)
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 12 × timeout (no complete answer"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 3 × unexpected status"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 5 × reset"));
	}

	@Test
	void anInvalidMeasurementIsSaidFirst() {
		assertThat(new Findings(RESULTS).warnings()).containsExactly(
				"WebMVC, 16 conn. is invalid: other programs took 30.0 % of the CPU time, more than 5 %.",
				"WebMVC, 16 conn. failed: 4.00 % of the requests had no successful response, more than 0.1 %.");
	}

	@Test
	void anInterruptedRunSaysHowFarItCame() {
		RunResults interrupted = SampleResults.of("A title", Status.INTERRUPTED, 3,
				SampleResults.good("webflux-c16", "WebFlux", 1));
		assertThat(new Findings(interrupted).warnings())
			.containsExactly("The run was interrupted; 1 of 6 measurements are in this report.");
	}

	@Test
	void everyRowIsAMeanOverItsValidBlocksWithItsInterval() {
		Findings findings = new Findings(
				SampleResults.of("A title", Status.COMPLETE, 3, SampleResults.good("webflux-c16", "WebFlux", 1, 400),
						SampleResults.good("webflux-c16", "WebFlux", 2, 440),
						SampleResults.lossy("webflux-c16", "WebFlux", 3)));
		assertThat(findings.summary().rows()).containsExactly(List.of("WebFlux, 16 conn.", "2 of 3", "430.1 (430–430)",
				"420 µs (229–769)", "6.10 ms (6.10–6.10)", "1.53 s (1,530–1,530)", "0.50 ms (0.500–0.500)",
				"4.50 ms (4.50–4.50)", "1.53 s (1,530–1,530)", "20.0 KiB (20.0–20.0)", "512 MiB"));
		assertThat(findings.measured().rows()).extracting(List::getFirst)
			.containsExactly("WebFlux, 16 conn. #1", "WebFlux, 16 conn. #2", "WebFlux, 16 conn. #3");
	}

	@Test
	void variantsAreComparedWithinTheirBlocks() {
		Findings findings = new Findings(SampleResults.of("A title", Status.COMPLETE, 2, SampleResults.direct(1),
				SampleResults.direct(2), SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webflux-c16", "WebFlux", 2, 440),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 800),
				SampleResults.good("webmvc-c16", "WebMVC", 2, 880)));
		assertThat(findings.ratios().rows()).containsExactly(
				List.of("WebMVC", "c16", "WebFlux", "2.00 (2.00–2.00)", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =",
						"1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) =", "1.00 (1.00–1.00) ="));
		assertThat(findings.method().certainty()).startsWith("2 blocks:").contains("12.6 times as wide");
		assertThat(findings.cost().rows()).hasSize(2);
		assertThat(findings.warmups().rows()).containsExactly(List.of("WebFlux", "1", "900 → 410 → 400", "12.5", "no"));
	}

	@Test
	void aRatioOfOneBlockIsNoDifference() {
		Findings findings = new Findings(
				SampleResults.of("A title", Status.COMPLETE, 1, SampleResults.good("webflux-c16", "WebFlux", 1, 400),
						SampleResults.good("webmvc-c16", "WebMVC", 1, 800)));
		assertThat(findings.ratios().rows()).singleElement()
			.satisfies((row) -> assertThat(row).startsWith("WebMVC", "c16", "WebFlux", "2.00 ?"));
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
	void theChartsShowIntervalsAndMarkInvalidBlocks() {
		String html = html(SampleResults.of("A title", Status.COMPLETE, 2, SampleResults.direct(1),
				SampleResults.direct(2), SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webflux-c16", "WebFlux", 2, 440),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 800), SampleResults.lossy("webmvc-c16", "WebMVC", 2)));
		assertThat(html).contains("CPU per request beside WebFlux", "class=\"whisker\"", "class=\"k2 hollow\"",
				"Where the CPU time of a request goes", "Warm-up");
	}

	@ParameterizedTest
	@EnumSource
	void everyGroupOfThreadsHasAColourOfItsOwn(ThreadGroup group) {
		assertThat(html(RESULTS)).contains(".g" + group.ordinal() + " { fill: ");
	}

	@Test
	void thePageLoadsNothing() {
		String html = html(RESULTS);
		assertThat(html).doesNotContainPattern("https?://")
			.doesNotContainPattern(
					Pattern.compile("<(script|link|img|iframe|object|embed)\\b", Pattern.CASE_INSENSITIVE))
			.doesNotContain("@import", "url(")
			.contains("default-src 'none'");
	}

	@Test
	void everythingIsEscapedInHtml() {
		String html = html(hostile());
		assertThat(html).doesNotContain("<script")
			.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; | &#39;");
	}

	@Test
	void everythingIsEscapedInMarkdown() {
		String markdown = MarkdownReport.render(new Findings(hostile()), List.of());
		assertThat(markdown).doesNotContain("<script").contains("&lt;script>alert(\"1\")&lt;/script> &amp; \\| '");
	}

	@Test
	void aPlaceholderInTheDataIsNotReplaced() {
		RunResults results = SampleResults.of("{{content}}", Status.COMPLETE, 1);
		assertThat(html(results)).contains("<title>{{content}}</title>", "<h1>{{content}}</h1>");
	}

	@Test
	void theTerminalShowsTablesAndWarnings() {
		assertThat(TerminalReport.render(RESULTS)).contains("WebFlux, 16 conn.", "430 / 20.2", "96.8 %",
				"One block: there is no interval", "! WebMVC, 16 conn. is invalid");
	}

	@Test
	void aRunWithoutMeasurementsIsRenderedToo() {
		RunResults empty = SampleResults.of("A title", Status.INTERRUPTED, 1);
		assertThat(html(empty)).contains("0 of 2 measurements are in this report");
		assertThat(TerminalReport.render(empty)).contains("0 of 2 measurements are in this report")
			.doesNotContain("No errors");
	}

	private static RunResults hostile() {
		return SampleResults.of(SampleResults.HOSTILE, Status.COMPLETE, 1,
				SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1));
	}

	private static String html(RunResults results) {
		return HtmlReport.render(new Findings(results), List.of("logs/" + SampleResults.HOSTILE));
	}

}
