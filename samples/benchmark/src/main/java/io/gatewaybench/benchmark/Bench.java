package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.faults.Fault;
import io.gatewaybench.benchmark.load.GeneratorMain;
import io.gatewaybench.benchmark.report.Reports;
import io.gatewaybench.benchmark.report.TerminalReport;
import io.gatewaybench.benchmark.result.Coverage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.StartPrior;
import io.gatewaybench.benchmark.statistics.BetweenStarts;
import io.gatewaybench.benchmark.suite.InvalidSuiteException;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.threshold.InvalidThresholdException;
import io.gatewaybench.benchmark.topology.Heap;

/**
 * The benchmark on the command line.
 */
@Command(name = "bench", mixinStandardHelpOptions = true, version = "gateway-bench 0.1.0",
		description = "Measures gateways in front of simulated services, and says how far the figures can be trusted.",
		subcommands = {
				RunCommand.class, FaultsCommand.class, ExportCommand.class, AgentCommand.class, SelfTestCommand.class },
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:there is an answer",
				"1:a condition of --fail-if holds, a gateway failed, or a check of the self-test did", "2:wrong usage",
				"3:a gateway was still compiling, or it could not be measured; what was measured is kept",
				"4:there is an answer, but a condition of --fail-if can't be decided",
				"130:interrupted; what was measured is kept" })
public final class Bench extends BenchCommand {

	static final int FAILED = 1;

	static final int USAGE = 2;

	static final int NOT_MEASURED = 3;

	static final int UNDECIDED = 4;

	static final int INTERRUPTED = 130;

	@Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show the stack trace of a failure.")
	private boolean verbose;

	@Override
	public Integer call() {
		throw usage("Missing command: try ./bench run");
	}

	@Command(name = "list", mixinStandardHelpOptions = true,
			description = "Lists the suites, their scenarios and where the published figures come from.")
	void list() {
		PrintWriter out = out();
		for (Suite suite : Suites.all()) {
			out.println(suite.name() + ": " + suite.title());
			if (suite.study() != null) {
				out.println("  published: " + suite.study().source());
			}
			print("", suite.scenarios(), List.of(), out);
			print("  with --only or --full:\n", suite.optionalScenarios(), suite.scenarios(), out);
			print("  with --full:\n", suite.fullScenarios(), suite.optionalScenarios(), out);
		}
		out.flush();
	}

	private static void print(String heading, List<Scenario> scenarios, List<Scenario> known, PrintWriter out) {
		List<Scenario> more = scenarios.stream().filter((scenario) -> !known.contains(scenario)).toList();
		int width = more.stream().mapToInt((scenario) -> scenario.id().length()).max().orElse(0);
		out.print(more.isEmpty() ? "" : heading);
		for (Scenario scenario : more) {
			out.println("  " + scenario.id() + " ".repeat(width - scenario.id().length()) + "  " + scenario.title());
		}
	}

	@Command(name = "new", mixinStandardHelpOptions = true,
			description = "Prints a commented example of a comparison of your own, to be changed and given to bench run.")
	void example() {
		out().print(Suites.example());
		out().flush();
	}

	@Command(name = "report", mixinStandardHelpOptions = true,
			description = "Renders the reports of a run again from its results.json, and prints its tables.")
	void report(
			@Parameters(arity = "0..1", paramLabel = "directory", defaultValue = "bench-results/latest",
					description = "The directory of the run (default: ${DEFAULT-VALUE}).") Path directory,
			@Option(names = "--into", paramLabel = "<directory>",
					description = "Writes them into a directory that many reports share, such as a site.") @Nullable Path into) {
		RunResults results = ResultsFile.read(directory);
		Path report = (into != null) ? Reports.publish(results, directory, into) : Reports.write(results, directory);
		PrintWriter out = out();
		out.print(TerminalReport.render(results));
		out.println("Report: " + report);
		out.flush();
	}

	@Command(name = "calibrate", mixinStandardHelpOptions = true,
			description = "Tells from runs of many starts how much starts differ, for between-starts.json, and how often the "
					+ "intervals of shorter runs contain what all starts have shown.")
	void calibrate(@Parameters(arity = "1..*", paramLabel = "<run>",
			description = "Directories of runs of several starts each, such as run calibration --starts 20.") List<Path> runs) {
		Map<String, BetweenStarts> known = new LinkedHashMap<>();
		List<RunResults> results = runs.stream().map(ResultsFile::read).toList();
		StartPrior.of(results).forEach((metric, spread) -> known.put(metric.key(), spread));
		PrintWriter out = out();
		out.println(JsonMapper.builder()
			.enable(SerializationFeature.INDENT_OUTPUT)
			.build()
			.writeValueAsString(new Calibration(known, Coverage.of(results))));
		out.flush();
	}

	private record Calibration(Map<String, BetweenStarts> metrics, List<Coverage> coverage) {
	}

	@Command(name = "generate", hidden = true, description = "Sends the load of a plan; started by the runner.")
	int generate(@Parameters(paramLabel = "plan") Path plan) {
		return GeneratorMain.run(plan, System.out, System.in);
	}

	/**
	 * Runs a command and ends the JVM with its exit code.
	 * @param args the command line
	 */
	public static void main(String[] args) {
		System.exit(commandLine().execute(args));
	}

	static CommandLine commandLine() {
		Bench bench = new Bench();
		return new CommandLine(bench).setCaseInsensitiveEnumValuesAllowed(true)
			.registerConverter(Duration.class, Converters::duration)
			.registerConverter(Heap.class, Converters::heap)
			.registerConverter(Fault.class, Converters::fault)
			.registerConverter(InetSocketAddress.class, Converters::agent)
			.setExecutionExceptionHandler(
					(failure, commandLine, parsed) -> bench.explain(failure, commandLine.getErr()));
	}

	private int explain(Exception failure, PrintWriter err) {
		boolean wrongUsage = failure instanceof InvalidSuiteException || failure instanceof InvalidThresholdException;
		if (wrongUsage || failure instanceof BenchFailure) {
			err.println("bench: " + failure.getMessage());
		}
		else {
			err.println("bench: unexpected " + failure + (this.verbose ? "" : " (--verbose shows where)"));
		}
		if (this.verbose) {
			failure.printStackTrace(err);
		}
		return wrongUsage ? USAGE : NOT_MEASURED;
	}

}
