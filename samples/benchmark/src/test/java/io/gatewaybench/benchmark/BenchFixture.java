package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.run.RunRequest;
import picocli.CommandLine;

/**
 * Runs {@code ./bench} in this JVM, and keeps what it prints.
 */
final class BenchFixture {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	int run(String... args) {
		return Bench.commandLine().setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err)).execute(args);
	}

	String out() {
		return this.out.toString();
	}

	String err() {
		return this.err.toString();
	}

	/**
	 * What {@code ./bench run} would do.
	 */
	static RunRequest request(String... args) {
		CommandLine.ParseResult parsed = Bench.commandLine().parseArgs(args);
		return ((RunCommand) parsed.subcommand().commandSpec().userObject()).request();
	}

	static RunResults results(Status status, boolean good) {
		return SampleResults.of("A title", status, SampleResults.good("webflux-c16", "WebFlux", 1),
				good ? SampleResults.good("webmvc-c16", "WebMVC", 1) : SampleResults.lossy("webmvc-c16", "WebMVC", 1));
	}

	static RunResults answered(RunResults run, Outcome... outcomes) {
		return run.withThresholds(Stream.of(outcomes)
			.map((outcome) -> new ThresholdResult("webflux.cpu > 1ms", "c16", outcome, null, "So it is."))
			.toList());
	}

}
