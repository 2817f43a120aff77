package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.gatewaybench.benchmark.export.ExportFormat;
import io.gatewaybench.benchmark.export.ExportRequest;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadResult;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.topology.Child;
import io.gatewaybench.benchmark.topology.Children;
import org.jspecify.annotations.Nullable;

/**
 * A process for every stage: a JMeter that hands the test plan to the agents, and writes
 * their samples to a file.
 */
final class JmeterSession implements LoadSession {

	private static final String HEAP = "512m";

	private static final int LOG_BYTES = 2_000;

	// To start a JVM, to connect to the agents and to hear of the end
	private static final Duration SLACK = Duration.ofSeconds(40);

	// More than JMeter waits for an agent that stands still, before it tells the next one
	private static final Duration STOP = Duration.ofSeconds(20);

	private static final Duration REPEAT = Duration.ofMillis(500);

	private static final Duration WARM_UP = Duration.ofSeconds(2);

	private final Jmeter jmeter;

	private final List<String> prefix;

	private final LoadPlan plan;

	private final LoadFiles files;

	private final List<InetSocketAddress> agents;

	private final Workplace workplace;

	private final @Nullable JmeterAgent own;

	private final Children children = new Children(null);

	private final List<StageResult> results = new ArrayList<>();

	private boolean complete = true;

	private boolean closed;

	/**
	 * Creates a session.
	 * @param jmeter what sends
	 * @param prefix what its command line begins with
	 * @param plan what is sent
	 * @param files where its files go
	 * @param agents the agents
	 * @param workplace where JMeter runs, removed when the session is closed
	 * @param own the agent that ends with the session, {@code null} if others started all
	 * of them
	 */
	JmeterSession(Jmeter jmeter, List<String> prefix, LoadPlan plan, LoadFiles files, List<InetSocketAddress> agents,
			Workplace workplace, @Nullable JmeterAgent own) {
		this.jmeter = jmeter;
		this.prefix = prefix;
		this.plan = plan;
		this.files = files;
		this.agents = agents;
		this.workplace = workplace;
		this.own = own;
	}

	@Override
	public String engine() {
		return JmeterLoadEngine.NAME;
	}

	@Override
	public @Nullable Long pid() {
		return null;
	}

	@Override
	public StageResult run(Stage stage, IntConsumer progress) throws InterruptedException {
		this.plan.check(stage);
		if (!this.complete) {
			throw new BenchFailure(
					"the session of plan '%s' is over and takes no further stage".formatted(this.plan.id()));
		}
		// Files can't be written with the status set
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		// Until it is known that this one went well
		this.complete = false;
		try {
			StageResult result = load(stage);
			this.results.add(result);
			this.complete = result.complete();
			return result;
		}
		catch (IOException ex) {
			throw unusable(ex);
		}
	}

	private StageResult load(Stage stage) throws IOException, InterruptedException {
		String name = "jmeter-%d-%s".formatted(this.results.size() + 1,
				stage.name().replaceAll("[^A-Za-z0-9._-]", "_"));
		Path samples = this.files.directory().resolve(name + ".tsv");
		Path output = this.files.directory().resolve(name + ".txt");
		Path test = this.files.directory().resolve(name + ".jmx");
		Files.deleteIfExists(samples);
		Files.writeString(test, ExportFormat.JMETER.export(request(name, stage)).content());
		AgentWatch watch = new AgentWatch(this.agents, samples, output, silence(stage), stage.sending());
		Duration agentBefore = cpuTime();
		int stopPort = freeUdpPort();
		boolean interrupted = false;
		try (Child process = this.children.start("JMeter", command(test, samples, stopPort), output)) {
			try {
				watch.until(process, System.nanoTime() + length(stage).plus(SLACK).toNanos());
				int code = process.exitCode().orElseThrow();
				if (code != 0 || watch.started() == 0) {
					throw new BenchFailure("JMeter ended with exit code %d and sent nothing; see %s:%n%s"
						.formatted(code, output, String.join("\n", process.lastLines(LOG_BYTES))));
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			finally {
				stop(process, stopPort);
			}
		}
		StageResult result = result(stage, samples, watch, !interrupted,
				watch.cpuTime().plus(cpuTime()).minus(agentBefore).toMillis() / 1e3);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return result;
	}

	private ExportRequest request(String name, Stage stage) {
		// Where users can't be divided, as in a warm-up, some are left out
		int share = Math.max(1, this.plan.total(stage) / this.agents.size());
		Workload workload = new Workload((stage.rate() > 0) ? Model.OPEN : Model.CLOSED, this.plan.mix(stage), share,
				(stage.rate() > 0) ? Duration.ZERO : this.plan.workload().thinkTime());
		Iterations iterations = (stage.iterations() > 0) ? new Iterations(stage.iterations(), stage.duration()) : null;
		Load load = new Load(workload, null, stage.rate() / this.agents.size(), stage.arrivals(), stage.steps(),
				iterations, null);
		return new ExportRequest(name, load, this.plan.target(), Duration.ZERO, stage.sending(), timeouts(stage),
				// Agents with the same seed would send at the same moments
				(this.agents.size() > 1) ? 0 : this.plan.seed());
	}

	// In the open model JMeter waits so long after the last request, whatever is under
	// way
	private Timeouts timeouts(Stage stage) {
		Timeouts timeouts = this.plan.timeouts();
		return new Timeouts(timeouts.connect(), responseTimeout(stage.kind(), timeouts.response()));
	}

	static Duration responseTimeout(Stage.Kind kind, Duration timeout) {
		return (kind == Stage.Kind.WARMUP && timeout.compareTo(WARM_UP) > 0) ? WARM_UP : timeout;
	}

	private Duration length(Stage stage) {
		return stage.sending().plus(this.plan.timeouts().response());
	}

	// An agent tells of a response with the next one
	private Duration silence(Stage stage) {
		if (stage.iterations() > 0 || !stage.steps().isEmpty()) {
			// An agent may be done before the others, and a step may have no requests
			return length(stage);
		}
		double perAgent = stage.rate() / this.agents.size();
		Duration pause = (perAgent > 0) ? Duration.ofMillis((long) (10_000 / perAgent))
				: this.plan.workload().thinkTime();
		return this.plan.timeouts().response().plus(pause).multipliedBy(2).plusSeconds(5);
	}

	private List<String> command(Path test, Path samples, int stopPort) {
		List<String> arguments = new ArrayList<>(List.of("-n", "-t", test.toString(), "-l", samples.toString(), "-j",
				test + ".log", "-R", this.agents.stream().map(AgentWatch::name).collect(Collectors.joining(",")),
				"-Jmode=StrippedBatch", "-Jtime_threshold=500", "-Jjmeterengine.nongui.port=" + stopPort,
				"-Jjmeterengine.nongui.maxport=" + stopPort));
		arguments.addAll(Sample.SETTINGS);
		return this.jmeter.command(this.prefix, this.workplace, HEAP, ownAddress(), arguments);
	}

	/**
	 * The address of this host that agents connect back to.
	 */
	private String ownAddress() {
		List<String> addresses = this.agents.stream().map(JmeterSession::towards).distinct().toList();
		if (addresses.size() > 1) {
			throw new BenchFailure(
					"the agents reach this machine by different addresses, %s, and JMeter has one only; choose agents of one network"
						.formatted(String.join(" and ", addresses)));
		}
		return addresses.getFirst();
	}

	private static String towards(InetSocketAddress agent) {
		// Sends nothing
		try (DatagramSocket socket = new DatagramSocket()) {
			socket.connect(new InetSocketAddress(agent.getHostString(), agent.getPort()));
			return socket.getLocalAddress().getHostAddress();
		}
		catch (IOException ex) {
			throw new BenchFailure("the agent %s can't be reached: %s".formatted(AgentWatch.name(agent), ex), ex);
		}
	}

	private static int freeUdpPort() throws IOException {
		try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Lets JMeter end the agents, which otherwise go on for the rest of the stage. It
	 * listens only when all of them have begun, so it is told again and again.
	 */
	private static void stop(Child process, int port) throws IOException, InterruptedException {
		byte[] message = "StopTestNow".getBytes(StandardCharsets.US_ASCII);
		long deadline = System.nanoTime() + STOP.toNanos();
		while (process.isAlive() && System.nanoTime() < deadline) {
			try (DatagramSocket socket = new DatagramSocket()) {
				socket.send(new DatagramPacket(message, message.length, InetAddress.getLoopbackAddress(), port));
			}
			process.awaitEnd(REPEAT);
		}
	}

	private StageResult result(Stage stage, Path file, AgentWatch watch, boolean whole, double cpuSeconds)
			throws IOException {
		SampleFile samples = SampleFile.read(file, this.plan, stage,
				this.agents.stream().map(AgentWatch::name).toList());
		boolean byTime = stage.iterations() == 0 && whole;
		return new StageResult(stage.name(), stage.kind(), Instant.ofEpochMilli(watch.started()),
				byTime ? stage.duration().toMillis() / 1e3 : samples.seconds(), whole, samples.types(),
				samples.series(), new GeneratorStats(LatencyHistogram.empty(), Math.max(0, cpuSeconds), 0, 0, 0, 0,
						samples.agents(planned(stage), watch.started(), watch::clock)));
	}

	private @Nullable Double planned(Stage stage) {
		if (stage.rate() > 0) {
			return stage.plannedRequests() / this.agents.size();
		}
		return (stage.iterations() > 0)
				? (Double) ((double) stage.iterations() * this.plan.total(stage) / this.agents.size()) : null;
	}

	private Duration cpuTime() {
		return (this.own != null) ? this.own.cpuTime() : Duration.ZERO;
	}

	private BenchFailure unusable(IOException ex) {
		return new BenchFailure("JMeter's files in %s cannot be used: %s".formatted(this.files.directory(), ex), ex);
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.children.close();
		if (this.own != null) {
			this.own.close();
		}
		else {
			this.workplace.close();
		}
		try {
			this.files.writeResult(new LoadResult(engine(), this.plan.id(), this.complete, this.results));
		}
		catch (IOException ex) {
			throw unusable(ex);
		}
	}

}
