package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.topology.Launcher;
import org.jspecify.annotations.Nullable;

/**
 * <a href="https://jmeter.apache.org">Apache JMeter</a>, in a process for each session.
 * It sends itself; or agents send, each on its host, and their samples come back to it.
 * It tells latencies in whole milliseconds.
 */
public final class JmeterLoadEngine implements LoadEngine {

	/**
	 * The name of the engine.
	 */
	public static final String NAME = "jmeter";

	private final Path directory;

	private final List<String> prefix;

	private final List<InetSocketAddress> agents;

	private final Path agentKey;

	// An agent plays one test at a time, and all gateways are warmed up together
	private final Lock turn = new ReentrantLock();

	/**
	 * Creates an engine.
	 * @param directory under which each plan gets the directory for its files
	 * @param prefix what the command line of its processes must begin with, so that they
	 * have the cores they may have
	 * @param agents the load hosts that share the load, none if this one sends all of it
	 * @param agentKey the file with the key that agents are known by
	 */
	public JmeterLoadEngine(Path directory, List<String> prefix, List<InetSocketAddress> agents, Path agentKey) {
		this.directory = directory;
		this.prefix = List.copyOf(prefix);
		this.agents = List.copyOf(agents);
		this.agentKey = agentKey;
	}

	/**
	 * Whether it can send this on this machine.
	 * @param workload who sends what
	 * @param stage how much is sent, and what ends it
	 * @param agents how many load hosts are to share it, 0 for this one alone
	 * @return {@code null} if it can; otherwise why it can't and what to do, to be put
	 * behind its name: {@code is not installed; install it}
	 */
	public static @Nullable String objection(Workload workload, Stage stage, int agents) {
		if (workload.mix().stream().anyMatch((type) -> type.expect().webSocket())) {
			return "opens no WebSockets; choose other loads with --only";
		}
		if (workload.model() == Model.CLOSED && agents > 1 && stage.connections() % agents > 0) {
			return "can't divide %d users among %d agents; choose a multiple of %d with --connections"
				.formatted(stage.connections(), agents, agents);
		}
		return Jmeter.missing();
	}

	@Override
	public LoadSession open(LoadPlan plan) throws InterruptedException {
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()).toAbsolutePath());
		try {
			files.writePlan(plan);
			for (InetSocketAddress agent : this.agents) {
				check(agent, plan);
			}
			return new JmeterSession(this.prefix, plan, files, this.agents, this.agentKey,
					this.agents.isEmpty() ? new ReentrantLock() : this.turn);
		}
		catch (IOException ex) {
			throw JmeterSession.unusable(files, ex);
		}
	}

	private static void check(InetSocketAddress agent, LoadPlan plan)
			throws UnknownHostException, InterruptedException {
		if (!Launcher.answers(agent.getHostString(), agent.getPort())) {
			throw new BenchFailure("the agent %s does not answer; start it on that host with: ./bench agent"
				.formatted(Jmeter.name(agent)));
		}
		if (isLoopback(plan.target().getHost()) && !isLoopback(agent.getHostString())) {
			throw new BenchFailure(
					"the agent %s can't reach %s, which listens on this machine only; measure a target with a url, or start it on a host with --hosts"
						.formatted(Jmeter.name(agent), plan.target()));
		}
	}

	private static boolean isLoopback(String host) throws UnknownHostException {
		return InetAddress.getByName(host).isLoopbackAddress();
	}

}
