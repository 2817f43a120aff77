package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadEngineException;
import io.gatewaybench.benchmark.engine.LoadEngineProvider;
import io.gatewaybench.benchmark.engine.LoadFiles;
import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * <a href="https://jmeter.apache.org">Apache JMeter</a> in its distributed mode: agents
 * send, each on its host, and their samples come back to this one. Without agents there
 * is one on this machine. It tells latencies in whole milliseconds.
 */
public final class JmeterLoadEngine implements LoadEngine {

	static final String NAME = "jmeter";

	// On two cores, to start, reach the agents and end
	private static final Duration PROGRAMS = Duration.ofSeconds(7);

	private final Jmeter jmeter;

	private final LoadEngineProvider.Setup setup;

	JmeterLoadEngine(Jmeter jmeter, LoadEngineProvider.Setup setup) {
		this.jmeter = jmeter;
		this.setup = setup;
	}

	@Override
	public LoadSession open(LoadPlan plan) throws InterruptedException {
		LoadFiles files = new LoadFiles(this.setup.directory().resolve(plan.id()).toAbsolutePath());
		try {
			Files.createDirectories(files.directory());
			files.writePlan(plan);
			return this.setup.agents().isEmpty() ? withOwnAgent(plan, files) : withAgents(plan, files);
		}
		catch (IOException | BenchFailure ex) {
			throw new LoadEngineException(
					"JMeter cannot be used, with its files in %s: %s".formatted(files.directory(), ex.getMessage()),
					ex);
		}
	}

	private LoadSession withAgents(LoadPlan plan, LoadFiles files) throws IOException, InterruptedException {
		for (InetSocketAddress agent : this.setup.agents()) {
			if (!Jmeter.answers(agent)) {
				throw new LoadEngineException("the agent %s does not answer; start it on that host with: ./bench agent"
					.formatted(AgentWatch.name(agent)), null);
			}
			if (isLoopback(plan.target().getHost()) && !isLoopback(agent.getHostString())) {
				throw new LoadEngineException(
						"the agent %s can't reach %s, which listens on this machine only; measure a target with a url, or start it on a host with --hosts"
							.formatted(AgentWatch.name(agent), plan.target()),
						null);
			}
		}
		return new JmeterSession(this.jmeter, this.setup.prefix(), plan, files, this.setup.agents(),
				Workplace.with(this.setup.agentKey()), null);
	}

	private static boolean isLoopback(String host) throws UnknownHostException {
		return InetAddress.getByName(host).isLoopbackAddress();
	}

	private LoadSession withOwnAgent(LoadPlan plan, LoadFiles files) throws IOException, InterruptedException {
		Workplace workplace = Workplace.withOwnKey();
		JmeterAgent agent = JmeterAgent.start(this.jmeter, this.setup.prefix(),
				new InetSocketAddress(InetAddress.getLoopbackAddress().getHostAddress(), freePort()), workplace);
		return new JmeterSession(this.jmeter, this.setup.prefix(), plan, files, List.of(agent.address()), workplace,
				agent);
	}

	// An agent takes two ports, one after the other
	static int freePort() throws IOException {
		while (true) {
			try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
					ServerSocket second = new ServerSocket()) {
				second.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first.getLocalPort() + 1));
				return first.getLocalPort();
			}
			catch (BindException ex) {
				// The next one is taken
			}
		}
	}

	/**
	 * Lets JMeter be chosen by its name.
	 */
	public static final class Provider implements LoadEngineProvider {

		@Override
		public String name() {
			return NAME;
		}

		@Override
		public boolean hasAgents() {
			return true;
		}

		@Override
		public Duration extra(Model model, Stage.Kind kind, Duration timeout) {
			// In the open model, JMeter waits so long after its last request
			return (model == Model.CLOSED) ? PROGRAMS
					: PROGRAMS.plus(JmeterSession.responseTimeout(kind, timeout)).plusSeconds(1);
		}

		@Override
		public @Nullable String objection(Workload workload, Stage stage, int agents) {
			if (workload.model() == Model.CLOSED && agents > 1 && stage.connections() % agents > 0) {
				return "can't divide %d users among %d agents; choose a multiple of %d with --connections"
					.formatted(stage.connections(), agents, agents);
			}
			return (Jmeter.installed() != null) ? null : Jmeter.missing();
		}

		@Override
		public LoadEngine create(Setup setup) {
			Jmeter jmeter = Jmeter.installed();
			if (jmeter == null) {
				throw new LoadEngineException("JMeter " + Jmeter.missing(), null);
			}
			return new JmeterLoadEngine(jmeter, setup);
		}

	}

}
