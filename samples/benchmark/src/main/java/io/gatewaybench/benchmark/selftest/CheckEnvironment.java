package io.gatewaybench.benchmark.selftest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
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
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.suite.References;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.RemoteHosts;
import io.gatewaybench.benchmark.topology.Running;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * What checks measure with: simulated backends and the load engine.
 */
final class CheckEnvironment implements AutoCloseable {

	private static final String INSTANCE = "stub";

	private final Installation installation;

	private final Placement placement;

	private final Path directory;

	private final LoadEngine engine;

	private final Children children;

	private int plans;

	private int stubs;

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
	 * An environment whose processes run elsewhere.
	 * @param other where
	 */
	CheckEnvironment on(Placement other) {
		return new CheckEnvironment(this.installation, other,
				this.directory.resolve(String.join("-", other.gateway())));
	}

	/**
	 * Starts a gateway.
	 * @param variant how it is set up
	 * @param stub the backend behind its services
	 * @return the gateway, which ends with the environment at the latest
	 */
	Running gateway(Variant variant, Simulator stub) throws InterruptedException {
		try (HttpClient client = HttpClient.newHttpClient()) {
			Launcher launcher = new Launcher(this.installation, this.children, client, "256m", Duration.ofSeconds(60),
					new RemoteHosts(this.children, this.directory::resolve));
			References references = References.NONE;
			for (String service : List.of("service-a", "service-b", "service-c")) {
				references = references.with(service, List.of(address(stub)));
			}
			return launcher.start("The gateway " + variant.title(), variant.component(), references,
					new Launcher.Place(this.placement.gateway(), this.directory.resolve(variant.id()),
							this.directory.resolve(variant.id() + ".log")));
		}
	}

	/**
	 * Whether a file has a content.
	 */
	boolean reads(Path file, String content) {
		try {
			return Files.readString(file).strip().equals(content);
		}
		catch (IOException ex) {
			return false;
		}
	}

	Installation installation() {
		return this.installation;
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Starts a backend.
	 * @param profile its profile, in YAML
	 * @param options further options
	 * @return the backend, which ends with the environment at the latest
	 */
	Simulator stub(String profile, String... options) throws InterruptedException {
		String name = "stub-" + (++this.stubs);
		Path file = this.directory.resolve(name + ".yml");
		try {
			Files.createDirectories(this.directory);
			Files.writeString(file, profile);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		List<String> command = new ArrayList<>(this.placement.others());
		command.addAll(List.of(this.installation.java().toString(), "-Xmx256m", "-XX:+UseSerialGC", "-jar",
				this.installation.backends().toString(), "--instance", INSTANCE + "=0", "--profile", file.toString()));
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

	static RequestType get(String name, double weight, String path, int minBytes) {
		return new RequestType(name, weight, "GET", List.of(path), Map.of(), null,
				new Expectation(200, minBytes, null));
	}

	static RequestType hello() {
		return get("hello", 1, "/api/hello", 10);
	}

	/**
	 * Gets ready to load a backend, or a gateway.
	 * @param target its address
	 * @param model open or closed
	 * @param connections the users, or the most requests in flight
	 * @param mix the requests
	 * @param timeout how long to wait for an answer
	 * @return what sends, to be closed
	 */
	LoadSession open(URI target, Model model, int connections, List<RequestType> mix, Duration timeout)
			throws InterruptedException {
		return this.engine
			.open(new LoadPlan("check-" + (++this.plans), target, new Workload(model, mix, connections, Duration.ZERO),
					new Timeouts(Duration.ofSeconds(2), timeout), 42));
	}

	LoadSession open(URI target, Model model, int connections) throws InterruptedException {
		return open(target, model, connections, List.of(hello()), Duration.ofSeconds(10));
	}

	static double medianMillis(LatencyHistogram latency) {
		return latency.histogram().getValueAtPercentile(50) / 1e6;
	}

	static StageResult send(LoadSession session, Stage stage) throws InterruptedException {
		return session.run(stage).whole();
	}

	/**
	 * Loads a backend, or a gateway.
	 * @param target its address
	 * @param model open or closed
	 * @param connections the users, or the most requests in flight
	 * @param first the first stage
	 * @param others those that follow
	 * @return what was measured in the last one
	 */
	StageResult load(URI target, Model model, int connections, Stage first, Stage... others)
			throws InterruptedException {
		try (LoadSession session = open(target, model, connections)) {
			StageResult last = send(session, first);
			for (Stage other : others) {
				last = send(session, other);
			}
			return last;
		}
	}

	@Override
	public void close() {
		this.children.close();
	}

}
