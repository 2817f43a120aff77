package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.jmeter.AgentKey;
import io.gatewaybench.benchmark.jmeter.JmeterAgent;
import io.gatewaybench.benchmark.run.Interruption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench agent}.
 */
@Command(name = "agent", mixinStandardHelpOptions = true,
		description = "Makes this machine a load host: sends what a run with --engine jmeter --agents tells it to, until Ctrl-C.")
final class AgentCommand extends BenchCommand {

	@Option(names = "--address", paramLabel = "<host>[:<port>]",
			description = "By what address the runner reaches this machine; the agent listens there (default port: 1099).")
	private @Nullable InetSocketAddress address;

	@Option(names = "--agent-key", paramLabel = "<file>", defaultValue = AgentKey.NAME,
			description = "The key that runner and agents have in common (default: ${DEFAULT-VALUE}).")
	private Path key = Path.of(AgentKey.NAME);

	@Option(names = "--new-key",
			description = "Make the key, and end. Copy the file to every host: who has it can send anything from there.")
	private boolean newKey;

	@Override
	public Integer call() throws InterruptedException {
		PrintWriter out = out();
		if (this.newKey) {
			AgentKey.create(this.key);
			out.println(this.key + " is the key. Copy it to every load host, and to the host of the runner.");
			out.flush();
			return 0;
		}
		InetSocketAddress where = this.address;
		if (where == null) {
			throw usage("Say with --address by what address or name the runner reaches this machine");
		}
		try (Interruption interruption = new Interruption(); JmeterAgent agent = new JmeterAgent(where, this.key)) {
			out.println("The agent listens on " + where.getHostString() + ":" + where.getPort()
					+ " and on the next port, until Ctrl-C");
			out.flush();
			BenchFailure failure = agent.awaitFailure();
			// Ctrl-C in a terminal reaches some of its processes, too
			if (interruption.requested()) {
				return Bench.INTERRUPTED;
			}
			throw failure;
		}
		catch (InterruptedException ex) {
			return Bench.INTERRUPTED;
		}
	}

}
