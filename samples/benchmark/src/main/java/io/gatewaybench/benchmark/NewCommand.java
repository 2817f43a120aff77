package io.gatewaybench.benchmark;

import java.io.PrintWriter;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import io.gatewaybench.benchmark.suite.Suites;

/**
 * {@code bench new}.
 */
@Command(name = "new", mixinStandardHelpOptions = true,
		description = "Prints a commented example of a comparison of your own, to be changed and given to bench run.")
final class NewCommand implements Runnable {

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public void run() {
		PrintWriter out = this.spec.commandLine().getOut();
		out.print(Suites.example());
		out.flush();
	}

}
