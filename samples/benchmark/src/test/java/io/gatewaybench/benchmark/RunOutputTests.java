package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.run.RunRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class RunOutputTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private final CommandLine bench = Bench.commandLine()
		.setOut(new PrintWriter(this.out))
		.setErr(new PrintWriter(this.err));

	private final RunCommand command = this.bench.getSubcommands().get("run").getCommand();

	private final RunResults results = SampleResults.of("Gateways", Status.COMPLETE,
			SampleResults.good("webflux-c16", "WebFlux", 1));

	@TempDir
	private Path directory;

	private RunRequest request;

	@BeforeEach
	void request() throws IOException {
		this.request = BenchFixture.request("run", "--out", this.directory.toString());
		Files.writeString(this.directory.resolve("report.html"), "");
	}

	@Test
	void withoutAnOptionPeopleGetTheWholeReport() {
		this.command.tell(this.request, this.results);
		assertThat(this.out.toString()).contains("ANSWER", "HOW SURE", "WHAT NEXT",
				"WebFlux, 16 conn.: CPU per request 395 µs. There is nothing to compare it with.",
				"Report: " + this.directory.resolve("report.html").toUri());
		assertThat(this.out.toString()).doesNotContain("{");
		assertThat(this.err.toString()).isEmpty();
	}

	@Test
	void quietPrintsTheVerdictAndWhereTheReportIs() {
		this.bench.parseArgs("run", "--quiet");
		this.command.tell(this.request, this.results);
		assertThat(this.out.toString().lines()).containsExactly(
				"WebFlux, 16 conn.: CPU per request 395 µs. There is nothing to compare it with.",
				"Report: " + this.directory.resolve("report.html"));
		assertThat(this.err.toString()).isEmpty();
	}

	@Test
	void quietTellsAFailureOnStandardErrorAndNoReportThatIsNotThere() throws IOException {
		this.bench.parseArgs("run", "--quiet");
		Files.delete(this.directory.resolve("report.html"));
		this.command.tell(this.request, SampleResults.of("Gateways", Status.COMPLETE)
			.ended(Status.FAILED, "The gateway is gone", this.results.startedAt()));
		assertThat(this.out.toString().lines()).containsExactly("Nothing was measured: The gateway is gone");
		assertThat(this.err.toString().lines()).containsExactly("bench: The gateway is gone");
	}

}
