package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.engine.ForkedLoadEngine;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.run.Heap;
import io.gatewaybench.benchmark.run.Installation;
import io.gatewaybench.benchmark.run.RunPlan;
import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.run.Runner;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench run}.
 */
@Command(name = "run", mixinStandardHelpOptions = true,
		description = "Runs a suite: starts backends and gateways, loads them, writes the results and a report.")
final class RunCommand implements Callable<Integer> {

	private static final Duration FULL = Duration.ofSeconds(300);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Duration GATEWAY_PATIENCE = Duration.ofSeconds(60);

	@Parameters(arity = "0..1", paramLabel = "suite", defaultValue = "gateway",
			description = "The suite to run (default: ${DEFAULT-VALUE}); see: bench list")
	private String suite = "gateway";

	@ArgGroup
	private Length length = new Length();

	@Option(names = "--warmup", paramLabel = "<duration>", defaultValue = "30s", converter = DurationConverter.class,
			description = "Load before every measurement, 0s for none (default: ${DEFAULT-VALUE}).")
	private Duration warmup = Duration.ZERO;

	@Option(names = "--repeat", paramLabel = "<n>", defaultValue = "1",
			description = "Number of blocks, each with every scenario once (default: ${DEFAULT-VALUE}).")
	private int repeat;

	@Option(names = "--only", paramLabel = "<scenario>", split = ",",
			description = "Only scenarios whose id contains this, or matches it if it has a * or ?; "
					+ "may be repeated or separated by commas.")
	private List<String> only = List.of();

	@Option(names = "--heap", paramLabel = "<size>", defaultValue = "2g", converter = HeapConverter.class,
			description = "Heap of every gateway, -Xms and -Xmx (default: ${DEFAULT-VALUE}).")
	private @Nullable Heap heap;

	@Option(names = "--out", paramLabel = "<directory>",
			description = "Where the results go (default: bench-results/<suite>-<time>).")
	private @Nullable Path out;

	@Option(names = "--seed", paramLabel = "<n>",
			description = "Decides the order of the scenarios and the sequence of the requests (default: a random one).")
	private @Nullable Long seed;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	/**
	 * Two ways to say how long a measurement is.
	 */
	static final class Length {

		@Option(names = "--duration", paramLabel = "<duration>", converter = DurationConverter.class,
				description = "Length of every measurement (default: 25s).")
		private Duration duration = Duration.ofSeconds(25);

		@Option(names = "--full", description = "Measure for 300 s, as the published rounds did.")
		private boolean full;

		Duration duration() {
			return this.full ? FULL : this.duration;
		}

	}

	@Override
	public Integer call() {
		RunRequest request = request();
		Installation installation = Installation.current();
		Console console = new Console(System.err, Boolean.getBoolean("gateway-bench.terminal"));
		Runner runner = new Runner(installation,
				(directory) -> new ForkedLoadEngine(installation.generatorCommand(), directory), console);
		RunResults results = runner.run(request);
		PrintWriter out = this.spec.commandLine().getOut();
		out.print(TerminalReport.render(results));
		out.flush();
		if (results.status() == RunResults.Status.FAILED) {
			this.spec.commandLine().getErr().println("bench: " + results.failure());
		}
		return exitCode(results);
	}

	RunRequest request() {
		Suite chosen = Suites.named(this.suite)
			.orElseThrow(() -> usage("There is no suite '" + this.suite + "'; choose one of: "
					+ Suites.all().stream().map(Suite::name).collect(Collectors.joining(", "))));
		List<Scenario> scenarios = new ScenarioFilter(this.only).select(chosen.scenarios());
		if (scenarios.isEmpty()) {
			throw usage("--only " + String.join(",", this.only) + " matches no scenario of suite " + chosen.name()
					+ "; choose from: "
					+ chosen.scenarios().stream().map(Scenario::id).collect(Collectors.joining(", ")));
		}
		if (this.length.duration().toMillis() < 1000) {
			throw usage("--duration " + this.length.duration().toMillis() + "ms is too short; use 1s or more");
		}
		if (this.warmup.isNegative() || (!this.warmup.isZero() && this.warmup.toMillis() < 1000)) {
			throw usage("--warmup " + this.warmup.toMillis() + "ms is too short; use 0s, or 1s and more");
		}
		if (this.repeat < 1 || this.repeat > 1000) {
			throw usage("--repeat " + this.repeat + " is not possible; use 1 to 1000");
		}
		Heap size = (this.heap != null) ? this.heap : Heap.parse("2g");
		long chosenSeed = (this.seed != null) ? this.seed : ThreadLocalRandom.current().nextInt(1, 1_000_000);
		RunResults.Settings settings = new RunResults.Settings(this.warmup, this.length.duration(), this.repeat,
				size.text(), TIMEOUT, chosenSeed);
		return new RunRequest(chosen, RunPlan.of(chosen, scenarios, settings), size, this.out, GATEWAY_PATIENCE,
				this.spec.root().commandLine().getParseResult().originalArgs());
	}

	static int exitCode(RunResults results) {
		return switch (results.status()) {
			case INTERRUPTED -> Bench.INTERRUPTED;
			case COMPLETE ->
				results.scenarios().stream().allMatch((scenario) -> scenario.verdict().valid()) ? 0 : Bench.INVALID;
			default -> Bench.FAILED;
		};
	}

	private ParameterException usage(String message) {
		return new ParameterException(this.spec.commandLine(), message);
	}

}
