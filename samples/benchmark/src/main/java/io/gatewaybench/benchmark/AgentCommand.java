package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.jmeter.AgentKey;
import io.gatewaybench.benchmark.jmeter.JmeterAgent;
import io.gatewaybench.benchmark.run.Interruption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code bench agent}.
 */
@Command(name = "agent", mixinStandardHelpOptions = true,
		description = "Makes this machine a load host: sends what a run with --engine jmeter --agents tells it to, until Ctrl-C.")
final class AgentCommand extends BenchCommand {

	@Option(names = "--address", paramLabel = "<host>",
			description = "By what address or name the runner reaches this machine; the agent listens there (default: that of "
					+ "this machine's name).")
	private @Nullable String address;

	@Option(names = "--port", paramLabel = "<n>", defaultValue = "" + Converters.AGENT_PORT,
			description = "The first of the two ports on which it listens (default: ${DEFAULT-VALUE}).")
	private int port;

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
		InetSocketAddress where = where();
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

	private InetSocketAddress where() {
		try {
			InetAddress own = InetAddress.getLocalHost();
			if (this.address == null && own.isLoopbackAddress()) {
				throw usage("This machine's name stands for " + own.getHostAddress()
						+ ", which no other host can reach; say its address with --address");
			}
			return Converters.agent(((this.address != null) ? this.address : own.getHostAddress()) + ":" + this.port);
		}
		catch (UnknownHostException ex) {
			throw usage("This machine's name stands for no address; say one with --address");
		}
		catch (TypeConversionException ex) {
			throw usage(String.valueOf(ex.getMessage()));
		}
	}

}
