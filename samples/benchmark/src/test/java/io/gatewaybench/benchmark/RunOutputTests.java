package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.RunEvent;
import io.gatewaybench.benchmark.run.RunRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class RunOutputTests {

	private static final JsonMapper MAPPER = new JsonMapper();

	private final RunOutput output = new RunOutput();

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private final CommandLine line = new CommandLine(this.output).setOut(new PrintWriter(this.out))
		.setErr(new PrintWriter(this.err));

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
		this.output.ended(this.request, this.results, 0, this.line);
		assertThat(this.out.toString()).contains("ANSWER", "HOW SURE", "WHAT NEXT",
				"WebFlux, 16 conn.: CPU per request 395 µs. There is nothing to compare it with.",
				"Report: " + this.directory.resolve("report.html").toUri());
		assertThat(this.out.toString()).doesNotContain("{");
		assertThat(this.err.toString()).isEmpty();
	}

	@Test
	void quietPrintsTheVerdictAndWhereTheReportIs() {
		this.line.parseArgs("--quiet");
		try (Console console = this.output.console(this.line)) {
			console.say("said");
			console.tell(new RunEvent.Second("webflux-c16", 1, 1, 0, 400, 0, null));
		}
		this.output.ended(this.request, this.results, 0, this.line);
		assertThat(this.out.toString().lines()).containsExactly(
				"WebFlux, 16 conn.: CPU per request 395 µs. There is nothing to compare it with.",
				"Report: " + this.directory.resolve("report.html"));
		assertThat(this.err.toString()).isEmpty();
	}

	@Test
	void quietTellsAFailureOnStandardErrorAndNoReportThatIsNotThere() throws IOException {
		this.line.parseArgs("--quiet");
		Files.delete(this.directory.resolve("report.html"));
		this.output.ended(this.request, SampleResults.of("Gateways", Status.COMPLETE)
			.ended(Status.FAILED, "The gateway is gone", this.results.startedAt()), 1, this.line);
		assertThat(this.out.toString().lines()).containsExactly("Nothing was measured: The gateway is gone");
		assertThat(this.err.toString().lines()).containsExactly("bench: The gateway is gone");
	}

	@Test
	void jsonIsALineForEachEventInItsOrderAndTheRestIsForPeople() {
		this.line.parseArgs("--json");
		try (Console console = this.output.console(this.line)) {
			console.tell(new RunEvent.RunBegun("gateway", "a", "a/plan.json", List.of("webflux-c16")));
			console.tell(new RunEvent.Second("webflux-c16", 1, 2, 0, 400, 0, null));
			console.tell(new RunEvent.SliceEnded("webflux-c16", 1, 2, 400.5, 0, 20.0, "late × 2"));
			console.tell(new RunEvent.Answer("cpu", "WebMVC", "WebFlux", 1.1, 1.05, 1.15));
		}
		this.output.ended(this.request, this.results, 3, this.line);
		this.output.allEnded(3, Path.of("all/index.html"), this.line);
		List<JsonNode> events = events();
		assertThat(events).extracting((event) -> event.path("event").asString())
			.containsExactly("run-begun", "second", "slice-ended", "answer", "run-ended", "all-ended");
		assertThat(events.get(0).toString())
			.isEqualTo("{\"event\":\"run-begun\",\"suite\":\"gateway\",\"directory\":\"a\",\"plan\":\"a/plan.json\","
					+ "\"scenarios\":[\"webflux-c16\"]}");
		assertThat(events.get(1).path("p99Ms").isNull()).isTrue();
		assertThat(events.get(2).path("fault").asString()).isEqualTo("late × 2");
		assertThat(events.get(3).toString())
			.isEqualTo("{\"event\":\"answer\",\"metric\":\"cpu\",\"variant\":\"WebMVC\","
					+ "\"baseline\":\"WebFlux\",\"ratio\":1.1,\"low\":1.05,\"high\":1.15}");
		assertThat(events.get(4).path("exitCode").asInt()).isEqualTo(3);
		assertThat(events.get(4).path("answer").path(0).asString()).startsWith("WebFlux, 16 conn.: CPU per request");
		assertThat(events.get(4).path("results").asString())
			.isEqualTo(this.directory.resolve("results.json").toString());
		assertThat(events.get(4).path("report").asString()).isEqualTo(this.directory.resolve("report.html").toString());
		// Whatever the locale
		assertThat(this.out.toString()).isASCII();
		assertThat(this.err.toString()).contains("WebFlux, 16 conn.", "All studies: all/index.html");
	}

	@Test
	void aRunThatCouldNotBeginEndsWithItsReason() {
		this.line.parseArgs("--json");
		this.output.failed(this.request, 1, new BenchFailure("There is no jar"), this.line);
		assertThat(events()).singleElement().satisfies((event) -> {
			assertThat(event.path("event").asString()).isEqualTo("run-ended");
			assertThat(event.path("exitCode").asInt()).isEqualTo(1);
			assertThat(event.path("failure").asString()).isEqualTo("There is no jar");
			assertThat(event.path("answer")).isEmpty();
			assertThat(event.path("results").isNull()).isTrue();
		});
	}

	private List<JsonNode> events() {
		return this.out.toString().lines().map(MAPPER::readTree).toList();
	}

}
