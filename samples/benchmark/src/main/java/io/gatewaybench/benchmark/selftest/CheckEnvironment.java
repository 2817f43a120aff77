package io.gatewaybench.benchmark.selftest;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.ForkedLoadEngine;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * What checks measure with: simulated backends and the load engine.
 */
final class CheckEnvironment implements AutoCloseable {

	private static final RequestType HELLO = new RequestType("hello", 1, "GET", List.of("/api/hello"), Map.of(), null,
			new Expectation(200, 10, null));

	private final Installation installation;

	private final Placement placement;

	private final Path directory;

	private final LoadEngine engine;

	private final Children children;

	private int files;

	/**
	 * An environment.
	 * @param installation the programs that take part
	 * @param placement where their processes run
	 * @param directory for its files
	 */
	CheckEnvironment(Installation installation, Placement placement, Path directory) {
		this.installation = installation;
		this.placement = placement;
		this.directory = directory;
		this.engine = new ForkedLoadEngine(installation.generatorCommand(placement.generator()), directory);
		this.children = new Children(placement.groups());
	}

	/**
	 * Starts a backend.
	 * @param profile its profile, in YAML
	 * @param options further options
	 * @return the backend, which ends with the environment at the latest
	 */
	Simulator stub(String profile, String... options) throws InterruptedException {
		String name = "stub-" + (++this.files);
		Path file = Launcher.write(this.directory, name + ".yml", profile);
		List<String> command = new ArrayList<>(this.placement.others());
		command.addAll(List.of(this.installation.java().toString(), "-Xmx256m", "-XX:+UseSerialGC", "-jar",
				this.installation.backends().toString(), "--instance", "stub=0", "--profile", file.toString()));
		command.addAll(List.of(options));
		return Simulator.start(this.children, "The backend of the check", command,
				this.directory.resolve(name + ".log"));
	}

	/**
	 * A backend whose answer to {@code /api/hello} takes a fixed time.
	 * @param millis the time
	 * @param more what else its profile says about it, such as a fault
	 */
	Simulator fixed(double millis, String more) throws InterruptedException {
		return stub("endpoints: {hello: {latency: {distribution: fixed, value: " + millis + "}" + more + "}}");
	}

	static URI address(Simulator stub) {
		return stub.instances().values().iterator().next();
	}

	/**
	 * Gets ready to load a backend, or a proxy.
	 * @param target its address
	 * @param model open or closed
	 * @param connections the users, or the most requests in flight
	 * @param timeout how long to wait for an answer
	 * @return what sends, to be closed
	 */
	LoadSession open(URI target, Model model, int connections, Duration timeout) throws InterruptedException {
		return this.engine.open(new LoadPlan("check-" + (++this.files), target,
				new Workload(model, List.of(HELLO), connections, Duration.ZERO),
				new Timeouts(Duration.ofSeconds(2), timeout), 42));
	}

	LoadSession open(URI target, Model model, int connections) throws InterruptedException {
		return open(target, model, connections, Duration.ofSeconds(10));
	}

	static double medianMillis(LatencyHistogram latency) {
		return latency.histogram().getValueAtPercentile(50) / 1e6;
	}

	@Override
	public void close() {
		this.children.close();
	}

}
