package io.gatewaybench.benchmark.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StudiesReportTests {

	@TempDir
	private Path directory;

	@Test
	void thePageTellsWhatEachStudySaysWhatWasMeasuredAndWhatCouldNotBe() throws Exception {
		StudiesReport report = new StudiesReport(this.directory.resolve("new"));
		Suite gateway = Suites.named("gateway").orElseThrow();
		report.begin(gateway);
		assertThat(Files.readString(report.file())).contains("It was not measured to the end.");
		report.end(SampleResults.of("A title", Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", "WebMVC", 1)));
		assertThat(Files.readString(report.file())).contains(MarkdownReport.escape(gateway.study().source()),
				"| Both are as fast. | the same throughput, 1.00 times | 1.00 times (0.95–1.05) | we agree |",
				"[The whole report](gateway/report.html)");
		report.begin(Suites.named("hello").orElseThrow());
		report.fail(SampleResults.HOSTILE);
		assertThat(Files.readString(report.file())).contains("Both are as fast.", "could not be run: &lt;script>")
			.doesNotContain("<script>", "not measured to the end");
	}

	@Test
	void thePageSaysWhichFiguresAreOfGatewaysThatWereNotWarm() throws Exception {
		StudiesReport report = new StudiesReport(this.directory.resolve("new"));
		report.begin(Suites.named("gateway").orElseThrow());
		report.end(SampleResults.of("A title", Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1))
			.with(List.of(new WarmupCurve("Web*Flux*", 1, List.of(), false, true)), List.of(), List.of(), List.of()));
		assertThat(Files.readString(report.file())).contains("NOT SURE", "Web\\*Flux\\* in start 1");
	}

	@Test
	void thePageOfAnotherRunIsNotOverwritten() {
		new StudiesReport(this.directory).begin(Suites.named("hello").orElseThrow());
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> new StudiesReport(this.directory))
			.withMessage("--out " + this.directory + " has the results of another run; choose another directory.");
	}

}
