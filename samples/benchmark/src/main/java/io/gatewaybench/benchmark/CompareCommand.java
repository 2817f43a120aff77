package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.report.ComparisonReport;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.ScenarioResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench compare}.
 */
@Command(name = "compare", mixinStandardHelpOptions = true,
		description = "Sets two runs side by side, as Markdown: in what they differ, what that comes to, and every figure "
				+ "of the scenarios that both have.")
final class CompareCommand implements Runnable {

	@Parameters(index = "0", paramLabel = "A", converter = RunConverter.class,
			description = "The directory of a run, or its results.json.")
	@SuppressWarnings("NullAway.Init")
	private NamedRun first;

	@Parameters(index = "1", paramLabel = "B", converter = RunConverter.class,
			description = "The run that is divided by A.")
	@SuppressWarnings("NullAway.Init")
	private NamedRun second;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		ComparisonReport report = new ComparisonReport(this.first, this.second);
		if (report.isEmpty()) {
			throw new ParameterException(this.spec.commandLine(), "Nothing to compare: " + scenarios(this.first)
					+ ", and " + scenarios(this.second) + ". Name two runs with a scenario in common.");
		}
		PrintWriter out = this.spec.commandLine().getOut();
		out.print(report.render());
		out.flush();
	}

	private static String scenarios(NamedRun run) {
		return run.name() + " has "
				+ (run.results().scenarios().isEmpty() ? "no measurement"
						: run.results()
							.scenarios()
							.stream()
							.map(ScenarioResult::id)
							.distinct()
							.collect(Collectors.joining(", ")));
	}

}
