package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.util.List;

import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code bench list}.
 */
@Command(name = "list", mixinStandardHelpOptions = true,
		description = "Lists the suites, their scenarios and where the published figures come from.")
final class ListCommand implements Runnable {

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		PrintWriter out = this.spec.commandLine().getOut();
		for (Suite suite : Suites.all()) {
			out.println(suite.name() + ": " + suite.title());
			if (suite.study() != null) {
				out.println("  published: " + suite.study().source());
			}
			print(suite.scenarios(), out);
			print("with --only or --full:", suite.optionalScenarios(), suite.scenarios(), out);
			print("with --full:", suite.fullScenarios(), suite.optionalScenarios(), out);
		}
		out.flush();
	}

	private static void print(String heading, List<Scenario> scenarios, List<Scenario> known, PrintWriter out) {
		List<Scenario> more = scenarios.stream().filter((scenario) -> !known.contains(scenario)).toList();
		if (!more.isEmpty()) {
			out.println("  " + heading);
			print(more, out);
		}
	}

	private static void print(List<Scenario> scenarios, PrintWriter out) {
		int width = scenarios.stream().mapToInt((scenario) -> scenario.id().length()).max().orElse(0);
		for (Scenario scenario : scenarios) {
			out.println("  " + scenario.id() + " ".repeat(width - scenario.id().length()) + "  " + scenario.title());
		}
	}

}
