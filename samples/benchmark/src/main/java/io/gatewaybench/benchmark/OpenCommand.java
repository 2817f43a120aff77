package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.benchmark.report.ReportServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bench open}.
 */
@Command(name = "open", mixinStandardHelpOptions = true,
		description = "Serves the results of a run to a browser on this machine, until Ctrl-C. Nobody else can reach them.")
final class OpenCommand implements Callable<Integer> {

	private static final int HIGHEST_PORT = 65_535;

	@Parameters(arity = "0..1", paramLabel = "directory", defaultValue = "bench-results/latest",
			description = "The directory of the run (default: ${DEFAULT-VALUE}).")
	private Path directory = Path.of("");

	@Option(names = "--port", paramLabel = "<n>", defaultValue = "0",
			description = "The port (default: any that is free).")
	private int port;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public Integer call() {
		if (this.port < 0 || this.port > HIGHEST_PORT) {
			throw new ParameterException(this.spec.commandLine(),
					"--port " + this.port + " is not possible; use 1 to " + HIGHEST_PORT + ", or leave it out");
		}
		try (ReportServer server = ReportServer.start(this.directory, this.port)) {
			PrintWriter out = this.spec.commandLine().getOut();
			out.println(this.directory + " is at " + server.address() + " until Ctrl-C");
			out.flush();
			new CountDownLatch(1).await();
			return 0;
		}
		catch (InterruptedException ex) {
			return Bench.INTERRUPTED;
		}
	}

}
