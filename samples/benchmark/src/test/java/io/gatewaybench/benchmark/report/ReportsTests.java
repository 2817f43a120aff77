package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class ReportsTests {

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE,
			SampleResults.lossy("webmvc-c16", "WebMVC", 1), SampleResults.good("webflux-c16", "WebFlux", 1));

	private static final Path NO_FILES = Path.of("no-such-directory");

	@TempDir
	private Path directory;

	@Test
	void aPublishedFigureStandsBesideOursAndTheMaximum() {
		Table table = Published.table(RESULTS);
		assertThat(table.rows()).containsExactly(
				List.of("P99 of the service time, ms", "WebFlux, 16 conn.", "1,530", "1,530", "n/a"),
				List.of("throughput, req/s", "WebFlux, 16 conn.", "20.2", "430", "444"),
				List.of("throughput, req/s", "WebMVC, 16 conn.", "n/a", "430", "444"),
				List.of("errors, %", "WebFlux, 16 conn.", "3.90", "n/a", "n/a"));
		assertThat(table.note()).contains("Somebody's figures (2025)");
	}

	@Test
	void claimsHaveATableAndCostsHaveTheStartUp() {
		assertThat(Published.claims(RESULTS).rows()).containsExactly(
				List.of("Both are as fast.", "the same throughput, 1.00 times", "1.00 times (0.95–1.05)", "we agree"));
		Table costs = Costs.table(RESULTS);
		assertThat(costs.head()).startsWith("row", "start-up", "event loops");
		assertThat(costs.rows()).extracting(List::getFirst, (row) -> row.get(1))
			.containsExactly(tuple("WebFlux, 16 conn.", "4.20 s"), tuple("WebMVC, 16 conn.", "4.20 s"));
	}

	@Test
	void aPercentileWithoutEnoughSamplesIsNotAvailable() {
		assertThat(new Measurements(RESULTS).all().rows().getLast()).containsExactly("WebMVC, 16 conn.", "2", "430.1/s",
				"20", "6.10 ms", "38.3 ms", "265 ms", "n/a", "2.00 s", "≥ 10 s", "395 µs", "60 MiB", "512 MiB");
	}

	@Test
	void errorsAreExplainedByKind() {
		assertThat(new Measurements(RESULTS).errors().sentences()).hasSize(3)
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 12 × timeout (no complete answer"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 3 × unexpected status"))
			.anySatisfy((error) -> assertThat(error).startsWith("WebMVC, 16 conn.: 5 × reset"));
	}

	@Test
	void variantsAreComparedWithTheirBaselines() {
		RunResults results = SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1),
				SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 800));
		assertThat(new Measurements(results).ratios().rows()).singleElement()
			.satisfies((row) -> assertThat(row).startsWith("WebMVC, 16 conn.", "WebFlux")
				.anyMatch((cell) -> cell.startsWith("2.00 (1.")));
		assertThat(Costs.table(results).rows()).hasSize(3);
	}

	@Test
	void remarksAndWhatWasPlayedAgainHaveASection() {
		assertThat(new Measurements(SampleResults.with(RESULTS, "voids", List.of("it was late"))).remarks().sentences())
			.containsExactly("WebMVC, 16 conn.: the load generator used 90 % of a core", "Played again: it was late");
	}

	@Test
	void markdownAndTerminalBeginWithTheAnswer() {
		assertThat(MarkdownReport.render(new Findings(RESULTS, NO_FILES))).startsWith("""
				# A title

				## Answer

				- WebMVC, 16 conn. failed: 4.00 % of the requests failed, more than the limit of 0.1 %.

				| figure                |""".replaceFirst("figure +\\|", "figure"))
			.containsSubsequence("## How sure", "## What next", "## Ratios");
		assertThat(TerminalReport.render(RESULTS)).startsWith("\nANSWER\n- WebMVC, 16 conn. failed: 4.00 %")
			.containsSubsequence("WebFlux", "HOW SURE", "WHAT NEXT", "- Choose WebFlux if you like it.");
	}

	@Test
	void settingsInWhichVariantsDifferStandApart() {
		RunResults results = SampleResults.of("A title", Status.COMPLETE,
				SampleResults.good("webflux-c16", "gateway-webflux", 1), SampleResults.good("webmvc-c16", "other", 1));
		Setup setup = new Setup(results, NO_FILES);
		assertThat(setup.differences().head()).containsExactly("setting", "gateway-webflux", "other");
		assertThat(setup.differences().rows()).containsExactly(List.of("a", "b", "–"),
				List.of("jar", "gateway-webflux.jar", "other.jar"), List.of("library spring-web", "7.0.1", "–"));
	}

	@Test
	void bothFilesAreWritten() {
		assertThat(Reports.write(RESULTS, this.directory)).hasFileName("report.html").isNotEmptyFile();
		assertThat(this.directory.resolve("report.md")).isNotEmptyFile();
	}

	@Test
	void whatIsPublishedNamesNoDirectoryOfThisMachine() throws IOException {
		RunResults results = SampleResults.of(
				"In " + this.directory + "/raw, by /home/me/clone/samples/gateway-webflux/target/a.jar"
						+ " and /home/me/b.jar, run /home/me/mine.yml --hosts=/home/me/hosts.yaml",
				Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1));
		Path page = Reports.publish(results, this.directory, this.directory.resolve("shared"));
		assertThat(page).content()
			.contains(
					"In bench-results/gateway/raw, by samples/gateway-webflux/target/a.jar and b.jar, run mine.yml --hosts=hosts.yaml")
			.doesNotContain(this.directory.toString());
		assertThat(page.resolveSibling("gateway.md")).content()
			.contains(
					"In bench-results/gateway/raw, by samples/gateway-webflux/target/a.jar and b.jar, run mine.yml --hosts=hosts.yaml")
			.doesNotContain(this.directory.toString());
	}

	@Test
	void everythingIsEscapedInMarkdown() {
		RunResults hostile = SampleResults.of(SampleResults.HOSTILE, Status.COMPLETE,
				SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1));
		assertThat(MarkdownReport.render(new Findings(hostile, NO_FILES))).doesNotContain("<script")
			.contains("&lt;script>alert(\"1\")&lt;/script> &amp; \\| '");
	}

	@Test
	void aRunWithoutMeasurementsIsRenderedToo() {
		RunResults empty = SampleResults.of("A title", Status.INTERRUPTED);
		assertThat(MarkdownReport.render(new Findings(empty, NO_FILES))).contains("Nothing was measured",
				"The run was interrupted");
		assertThat(TerminalReport.render(empty)).contains("Nothing was measured", "The run was interrupted");
	}

}
