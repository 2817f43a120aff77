package io.gatewaybench.benchmark;

import java.io.PrintWriter;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.InvalidSuiteException;
import io.gatewaybench.benchmark.threshold.InvalidThresholdException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The benchmark on the command line.
 */
@Command(name = "bench", mixinStandardHelpOptions = true, version = "gateway-bench 0.1.0",
		description = "Measures gateways in front of simulated services, and says how far the figures can be trusted.",
		subcommands = { RunCommand.class, ListCommand.class, NewCommand.class, FaultsCommand.class, ReportCommand.class,
				CalibrateCommand.class, ExportCommand.class, AgentCommand.class, SelfTestCommand.class,
				GenerateCommand.class },
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:there is an answer",
				"1:a condition of --fail-if holds, a gateway failed, or a check of the self-test did", "2:wrong usage",
				"3:it could not be measured; what was measured before is kept",
				"4:there is an answer, but a condition of --fail-if can't be decided",
				"130:interrupted; what was measured is kept" })
public final class Bench implements Runnable {

	static final int FAILED = 1;

	static final int USAGE = 2;

	static final int NOT_MEASURED = 3;

	static final int UNDECIDED = 4;

	static final int INTERRUPTED = 130;

	@Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Show the stack trace of a failure.")
	private boolean verbose;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		throw new ParameterException(this.spec.commandLine(), "Missing command: try ./bench run");
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
