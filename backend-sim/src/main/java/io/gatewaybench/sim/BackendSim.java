package io.gatewaybench.sim;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command line of the simulator. Prints {@code READY <name> <port>} for each instance and
 * then {@code STARTED}. Exit codes: 0 stopped, 1 can't listen, 2 wrong options or
 * profile.
 */
@Command(name = "backend-sim", sortOptions = false,
		description = "Simulates slow backends: HTTP endpoints whose latency is a seeded distribution.")
public final class BackendSim implements Callable<Integer> {

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Option(names = "--instance", required = true, paramLabel = "NAME=PORT",
			converter = InstanceAddress.Converter.class,
			description = "An instance to host, repeatable; port 0 takes a free one.")
	private List<InstanceAddress> instances = List.of();

	@Option(names = "--host", paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
			description = "Address to listen on (default: ${DEFAULT-VALUE}).")
	private String host = "";

	@Option(names = "--profile", paramLabel = "FILE",
			description = "YAML file with latency, payload and seed per endpoint (default: as published, see README).")
	private @Nullable Path profile;

	@Option(names = "--zero-delay", description = "Answer at once, whatever the profile says.")
	private boolean zeroDelay;

	@Option(names = "--threads", paramLabel = "N", defaultValue = "1",
			description = "Event loops (default: ${DEFAULT-VALUE}).")
	private int threads;

	@Option(names = "--exit-with-parent",
			description = "Stop when standard input ends, as it does when the parent dies.")
	private boolean exitWithParent;

	@Option(names = { "-h", "--help" }, usageHelp = true, description = "Show this help.")
	private boolean help;

	private BackendSim() {
	}

	/**
	 * Starts the simulator.
	 * @param args the options
	 */
	public static void main(String[] args) {
		System.exit(commandLine().execute(args));
	}

	static CommandLine commandLine() {
		return new CommandLine(new BackendSim());
	}

	@Override
	public Integer call() throws InterruptedException {
		checkOptions();
		Profile profile;
		try {
			profile = (this.profile != null) ? ProfileReader.read(this.profile) : Profile.defaults();
		}
		catch (ProfileException ex) {
			return fail(ex, CommandLine.ExitCode.USAGE);
		}
		try (SimServer server = SimServer.start(this.host, this.threads, this.instances,
				this.zeroDelay ? profile.withoutDelay() : profile)) {
			Runtime.getRuntime().addShutdownHook(new Thread(server::close, "backend-sim-stop"));
			announce(server.ports());
			if (this.exitWithParent) {
				awaitEndOfInput();
			}
			else {
				server.awaitClose();
			}
			return CommandLine.ExitCode.OK;
		}
		catch (IOException ex) {
			return fail(ex, CommandLine.ExitCode.SOFTWARE);
		}
	}

	private void checkOptions() {
		if (this.threads < 1) {
			throw invalid("--threads=" + this.threads + ": expected a number of 1 or more");
		}
		Set<String> names = new HashSet<>();
		Set<Integer> ports = new HashSet<>();
		for (InstanceAddress instance : this.instances) {
			if (!names.add(instance.name())) {
				throw invalid("--instance: the name " + instance.name() + " is there twice");
			}
			if (instance.port() != 0 && !ports.add(instance.port())) {
				throw invalid("--instance: the port " + instance.port() + " is there twice");
			}
		}
	}

	private ParameterException invalid(String message) {
		return new ParameterException(this.spec.commandLine(), message);
	}

	private int fail(Exception cause, int exitCode) {
		PrintWriter err = this.spec.commandLine().getErr();
		err.println("backend-sim: " + cause.getMessage());
		err.flush();
		return exitCode;
	}

	private void announce(List<Integer> ports) {
		PrintWriter out = this.spec.commandLine().getOut();
		for (int i = 0; i < this.instances.size(); i++) {
			out.println("READY " + this.instances.get(i).name() + " " + ports.get(i));
		}
		out.println("STARTED");
		out.flush();
	}

	private static void awaitEndOfInput() throws IOException {
		while (System.in.read() >= 0) {
			// What the parent writes means nothing
		}
	}

}
