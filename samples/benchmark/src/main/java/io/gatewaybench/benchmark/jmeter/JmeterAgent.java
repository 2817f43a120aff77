package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * An agent on this machine: a JMeter that waits for test plans and sends what they say.
 */
public final class JmeterAgent implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String HEAP = "1g";

	private static final int LOG_LINES = 10;

	private final InetSocketAddress address;

	private final Workplace workplace;

	private final TiedProcess process;

	private JmeterAgent(InetSocketAddress address, Workplace workplace, TiedProcess process) {
		this.address = address;
		this.workplace = workplace;
		this.process = process;
	}

	/**
	 * Starts an agent and waits until it answers. It ends with the process that started
	 * it.
	 * @param address where other hosts reach it; it takes the next port, too
	 * @param key the key of the agents
	 * @return the agent
	 * @throws BenchFailure if JMeter is not installed, there is no key, or it does not
	 * answer
	 */
	public static JmeterAgent start(InetSocketAddress address, Path key) throws InterruptedException {
		Jmeter jmeter = Jmeter.installed();
		if (jmeter == null) {
			throw new BenchFailure("JMeter " + Jmeter.missing());
		}
		try {
			return start(jmeter, List.of(), address, Workplace.with(key));
		}
		catch (IOException ex) {
			throw new BenchFailure("The agent can't be started: " + ex, ex);
		}
	}

	/**
	 * Starts an agent that removes its workplace when it ends.
	 */
	static JmeterAgent start(Jmeter jmeter, List<String> prefix, InetSocketAddress address, Workplace workplace)
			throws InterruptedException {
		JmeterAgent agent = null;
		try {
			if (Jmeter.answers(address)) {
				throw new BenchFailure(
						"Something listens on port " + address.getPort() + " already; choose another one with --port.");
			}
			agent = new JmeterAgent(address, workplace,
					TiedProcess.start(jmeter.command(prefix, HEAP, address.getHostString(),
							List.of("-s", "-j", workplace.jmeterLog().toString(), "-Jserver_port=" + address.getPort(),
									"-Jserver.rmi.localport=" + (address.getPort() + 1),
									// Times of samples are those of the send
									"-Jsampleresult.timestamp.start=true")),
							workplace.directory(), workplace.log()));
			agent.ready();
			return agent;
		}
		catch (IOException ex) {
			workplace.close();
			throw new BenchFailure("The agent can't be started: " + ex, ex);
		}
		catch (InterruptedException | RuntimeException ex) {
			if (agent != null) {
				agent.close();
			}
			else {
				workplace.close();
			}
			throw ex;
		}
	}

	private void ready() throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!isReady()) {
			if (this.process.waitFor(200)) {
				throw new BenchFailure(
						"The agent ended with exit code " + this.process.exitCode() + ": " + lastLines());
			}
			if (System.nanoTime() > deadline) {
				throw new BenchFailure("The agent does not answer: " + lastLines());
			}
		}
	}

	// Its port is open before it can be found there
	private boolean isReady() {
		try {
			return Files.readString(this.workplace.jmeterLog()).contains("Bound to RMI registry");
		}
		catch (IOException ex) {
			// Not written yet
			return false;
		}
	}

	/**
	 * The end of what it said.
	 * @return its last lines
	 */
	public String lastLines() {
		try {
			List<String> lines = Files.readAllLines(this.workplace.log());
			return lines.stream().skip(Math.max(0, lines.size() - LOG_LINES)).collect(Collectors.joining("\n"));
		}
		catch (IOException ex) {
			return "it said nothing";
		}
	}

	/**
	 * Waits until it ends, which it does only if something is wrong.
	 * @return its exit code
	 */
	public int await() throws InterruptedException {
		return this.process.waitFor();
	}

	InetSocketAddress address() {
		return this.address;
	}

	Duration cpuTime() {
		return this.process.cpuTime();
	}

	/**
	 * Ends it.
	 */
	@Override
	public void close() {
		this.process.close();
		this.workplace.close();
	}

}
