package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.topology.Child;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.topology.Launcher;

/**
 * An agent on this machine: a JMeter that waits for test plans and sends what they say.
 */
public final class JmeterAgent implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration LOOK = Duration.ofMillis(200);

	private static final int LOG_BYTES = 2_000;

	private final Workplace workplace;

	private final Children children = new Children(null);

	private final Child process;

	/**
	 * Starts an agent and waits until it answers. It ends with the process that started
	 * it.
	 * @param address where other hosts reach it; it takes the next port, too
	 * @param key the key of the agents
	 * @throws BenchFailure if JMeter is not installed, there is no key, or it does not
	 * answer
	 */
	public JmeterAgent(InetSocketAddress address, Path key) throws InterruptedException {
		Jmeter jmeter = Jmeter.installed();
		if (Launcher.answers(address.getHostString(), address.getPort())) {
			throw new BenchFailure(
					"Something listens on port " + address.getPort() + " already; choose another one with --address.");
		}
		this.workplace = Workplace.with(key);
		try {
			this.process = this.children.start("agent", jmeter.agent(this.workplace, address),
					this.workplace.directory().resolve("output.txt"));
			awaitReady();
		}
		catch (InterruptedException | RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private void awaitReady() throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!isReady()) {
			if (this.process.awaitEnd(LOOK)) {
				throw ended();
			}
			if (System.nanoTime() > deadline) {
				throw failure("does not answer");
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

	private BenchFailure ended() {
		return failure("ended with exit code " + this.process.exitCode().orElseThrow());
	}

	private BenchFailure failure(String what) {
		return new BenchFailure("The agent " + what + ": " + String.join("\n", this.process.lastLines(LOG_BYTES)));
	}

	/**
	 * Waits until it ends, which it does only if something is wrong.
	 * @return what is wrong, with the end of what it said
	 * @throws InterruptedException if the thread was interrupted
	 */
	public BenchFailure awaitFailure() throws InterruptedException {
		while (!this.process.awaitEnd(PATIENCE)) {
			// It sends
		}
		return ended();
	}

	/**
	 * Ends it.
	 */
	@Override
	public void close() {
		this.children.close();
		this.workplace.close();
	}

}
