package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;

import io.gatewaybench.benchmark.export.ExportFormat;
import io.gatewaybench.benchmark.export.ExportRequest;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LineProcess;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadResult;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.topology.Launcher;
import org.jspecify.annotations.Nullable;

/**
 * Writes each stage as a test plan, lets a JMeter play it, and adds up the samples. A
 * line on JMeter's standard input is a stage to play; lines on its standard output tell
 * what happens until all have ended. The end of its standard input ends it, and the
 * agents' tests with it.
 */
final class JmeterSession implements LoadSession {

	// Its main class, a resource. Java compiles it where JMeter is
	private static final String SOURCE = "StagePlayer.java";

	// What it calls itself where there are no agents
	private static final String OWN = "localhost";

	private static final Duration PAUSE = Duration.ofMillis(50);

	private static final Duration LOOK = Duration.ofSeconds(1);

	// An agent that is used for the first time loads its classes
	private static final Duration BEGIN = Duration.ofSeconds(20);

	// To start a JVM, to connect to the agents and to hear of the end
	private static final Duration SLACK = Duration.ofSeconds(60);

	// More than JMeter waits for an agent that stands still, before it tells the next one
	private static final Duration STOP = Duration.ofSeconds(20);

	private static final Duration WARM_UP = Duration.ofSeconds(2);

	private final LoadPlan plan;

	private final LoadFiles files;

	private final List<InetSocketAddress> agents;

	private final Lock turn;

	private final Path output;

	private final Workplace workplace;

	private final LineProcess process;

	// Those who have not ended, and when the last sample of each came
	private final Map<String, Long> heard = new TreeMap<>();

	private final List<StageResult> results = new ArrayList<>();

	// When the first one began with the stage, in milliseconds of this machine's clock
	private long started;

	private boolean complete = true;

	/**
	 * Starts a JMeter.
	 * @param prefix what its command line begins with
	 * @param plan what is sent
	 * @param files where its files go
	 * @param agents the agents, none if it sends itself
	 * @param key the file with their key
	 * @param turn held while a stage is played
	 * @throws BenchFailure if there is no JMeter, or no key
	 */
	JmeterSession(List<String> prefix, LoadPlan plan, LoadFiles files, List<InetSocketAddress> agents, Path key,
			Lock turn) throws IOException {
		this.plan = plan;
		this.files = files;
		this.agents = agents;
		this.turn = turn;
		this.output = files.directory().resolve("jmeter.txt");
		Jmeter jmeter = Jmeter.installed();
		String address = ownAddress();
		this.workplace = Workplace.with(agents.isEmpty() ? null : key);
		try {
			Files.writeString(this.workplace.directory().resolve(SOURCE), Resource.text(JmeterSession.class, SOURCE));
			Path log = files.directory().resolve("jmeter.log");
			this.process = new LineProcess("JMeter",
					jmeter.player(prefix, this.workplace, address, SOURCE, senders(), log), this.output, STOP);
		}
		catch (IOException ex) {
			this.workplace.close();
			throw ex;
		}
	}

	@Override
	public long pid() {
		return this.process.handle().pid();
	}

	@Override
	public StageResult run(Stage stage) throws InterruptedException {
		this.plan.check(stage, !this.complete);
		// Also throws if the status is set, with which files can't be written
		this.turn.lockInterruptibly();
		// Until it is known that this one went well
		this.complete = false;
		try {
			StageResult result = load(stage);
			this.results.add(result);
			this.complete = result.complete();
			return result;
		}
		catch (IOException ex) {
			throw unusable(this.files, ex);
		}
		finally {
			this.turn.unlock();
		}
	}

	private StageResult load(Stage stage) throws IOException, InterruptedException {
		String name = "jmeter-%d-%s".formatted(this.results.size() + 1,
				stage.name().replaceAll("[^A-Za-z0-9._-]", "_"));
		Path samples = this.files.directory().resolve(name + ".tsv");
		Path test = this.files.directory().resolve(name + ".jmx");
		Files.writeString(test, ExportFormat.JMETER.export(request(name, stage)).content());
		Duration before = cpuTime();
		boolean interrupted = false;
		try {
			play(stage, test, samples);
		}
		catch (InterruptedException ex) {
			interrupted = true;
			// Otherwise the rest of the stage would be sent
			this.process.close();
		}
		// Of a process that has ended it is not known
		double cpuSeconds = Math.max(0, cpuTime().minus(before).toMillis() / 1e3);
		StageResult result = result(stage, samples, !interrupted, cpuSeconds);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return result;
	}

	private ExportRequest request(String name, Stage stage) {
		// Where users can't be divided, as in a warm-up, some are left out
		int users = Math.max(1, this.plan.total(stage) / senders().size());
		Stage share = new Stage(name, stage.kind(), stage.lead(), stage.duration(), stage.rate() / senders().size(),
				stage.arrivals(), stage.steps(), users, stage.iterations(), stage.mix());
		// Agents with the same seed would send at the same moments
		long seed = (senders().size() > 1) ? 0 : this.plan.seed();
		LoadPlan sent = new LoadPlan(name, this.plan.target(), this.plan.workload(), timeouts(stage), seed);
		return new ExportRequest(sent, share, Duration.ZERO);
	}

	// In the open model JMeter waits so long after the last request, whatever is under
	// way
	private Timeouts timeouts(Stage stage) {
		Timeouts timeouts = this.plan.timeouts();
		boolean shorter = stage.kind() == Stage.Kind.WARMUP && timeouts.response().compareTo(WARM_UP) > 0;
		return shorter ? new Timeouts(timeouts.connect(), WARM_UP) : timeouts;
	}

	private StageResult result(Stage stage, Path file, boolean whole, double cpuSeconds) throws IOException {
		SampleFile samples = new SampleFile(file, this.plan, stage, senders(), this.started);
		boolean byTime = stage.iterations() == 0 && whole;
		return new StageResult(stage.name(), stage.kind(), Instant.ofEpochMilli(this.started),
				byTime ? stage.duration().toMillis() / 1e3 : samples.seconds(), whole, samples.types(),
				samples.series(),
				new GeneratorStats(LatencyHistogram.empty(), cpuSeconds, 0, 0, samples.agents(planned(stage))));
	}

	private @Nullable Double planned(Stage stage) {
		double requests = (stage.rate() > 0) ? stage.plannedRequests()
				: (double) stage.iterations() * this.plan.total(stage);
		return (requests > 0) ? (Double) (requests / senders().size()) : null;
	}

	/**
	 * Plays a stage.
	 * @param stage what is sent
	 * @param test the test plan for JMeter
	 * @param samples the file for samples
	 * @throws BenchFailure if one who sends does not begin, is gone, silent or does not
	 * end
	 */
	private void play(Stage stage, Path test, Path samples) throws InterruptedException {
		long deadline = System.nanoTime() + length(stage).plus(SLACK).toNanos();
		this.started = 0;
		// Who has not begun is not silent
		senders().forEach((sender) -> this.heard.put(sender, deadline));
		this.process.tell(test + "\t" + samples + "\t" + requests(stage));
		long looked = System.nanoTime();
		while (!this.heard.isEmpty()) {
			hear();
			if (System.nanoTime() - looked > LOOK.toNanos()) {
				looked = System.nanoTime();
				checkAlive();
				checkHeard(stage);
			}
			if (System.nanoTime() > deadline) {
				throw failure("JMeter did not end in time: %s; see %s", String.join(", ", this.heard.keySet()),
						this.output);
			}
		}
	}

	/**
	 * The requests of a stage of the open model. JMeter leaves out the rest of a request.
	 * @return 0 where it would be of no use: samples of agents come together
	 */
	private long requests(Stage stage) {
		return (stage.rate() > 0 && this.agents.isEmpty()) ? (long) (stage.plannedRequests() + 1e-6) : 0;
	}

	private Duration length(Stage stage) {
		return stage.sending().plus(this.plan.timeouts().response());
	}

	/**
	 * Reads what it says next, if it says something in a moment.
	 */
	private void hear() throws InterruptedException {
		String line = this.process.hear(PAUSE);
		String[] words = (line != null) ? line.split("\t", 3) : new String[] { "" };
		switch (words[0]) {
			case "started" -> {
				this.heard.put(words[1], System.nanoTime() + BEGIN.toNanos());
				this.started = (this.started == 0) ? Long.parseLong(words[2]) : this.started;
			}
			case "heard" -> this.heard.put(words[1], System.nanoTime());
			case "ended" -> this.heard.remove(words[1]);
			case "refused" -> {
				checkAlive();
				throw failure("%s did not begin%s; see %s:%n%s", who(words[1]),
						this.agents.isEmpty() ? "" : ": it has another key, another version of JMeter, or another run",
						this.output, words[2]);
			}
			default -> {
			}
		}
	}

	private void checkAlive() throws InterruptedException {
		for (InetSocketAddress agent : this.agents) {
			if (!Launcher.answers(agent.getHostString(), agent.getPort())) {
				throw failure("the agent %s is gone: it does not answer any more; see what it says on its host",
						Jmeter.name(agent));
			}
		}
	}

	private void checkHeard(Stage stage) {
		if (System.currentTimeMillis() >= this.started + stage.sending().toMillis()) {
			return;
		}
		long now = System.nanoTime();
		Duration silence = silence(stage);
		this.heard.forEach((sender, last) -> {
			if (now - last > silence.toNanos()) {
				if (this.agents.isEmpty()) {
					this.process.kill();
				}
				throw failure("%s is silent: no sample came from it in %d s. It stands still%s", who(sender),
						silence.toSeconds(), this.agents.isEmpty() ? "" : ", or can't connect back to this machine");
			}
		});
	}

	private String who(String sender) {
		return this.agents.isEmpty() ? "JMeter" : "the agent " + sender;
	}

	/**
	 * How long one who sends can have nothing to tell. An agent tells of a response with
	 * the next one.
	 */
	private Duration silence(Stage stage) {
		if (!stage.steps().isEmpty()) {
			// A step may have no requests
			return length(stage);
		}
		double rate = stage.rate() / senders().size();
		Duration pause = (rate > 0) ? Duration.ofMillis((long) (10_000 / rate)) : this.plan.workload().thinkTime();
		return this.plan.timeouts().response().plus(pause).multipliedBy(2).plusSeconds(5);
	}

	private static BenchFailure failure(String message, Object... arguments) {
		return new BenchFailure(message.formatted(arguments));
	}

	/**
	 * The address of this host that agents connect back to.
	 */
	private String ownAddress() throws IOException {
		TreeSet<String> addresses = new TreeSet<>();
		for (InetSocketAddress agent : this.agents) {
			// Sends nothing
			try (DatagramSocket socket = new DatagramSocket()) {
				socket.connect(new InetSocketAddress(agent.getHostString(), agent.getPort()));
				addresses.add(socket.getLocalAddress().getHostAddress());
			}
		}
		if (addresses.size() > 1) {
			throw failure(
					"the agents reach this machine by different addresses, %s, and JMeter has one only; choose agents of one network",
					String.join(" and ", addresses));
		}
		return addresses.isEmpty() ? OWN : addresses.first();
	}

	/**
	 * The names of those who send in messages and results, one at least.
	 */
	private List<String> senders() {
		return this.agents.isEmpty() ? List.of(OWN) : this.agents.stream().map(Jmeter::name).toList();
	}

	/**
	 * The CPU time that JMeter took on this machine until now.
	 */
	private Duration cpuTime() {
		return this.process.handle().info().totalCpuDuration().orElse(Duration.ZERO);
	}

	static BenchFailure unusable(LoadFiles files, IOException ex) {
		return new BenchFailure("JMeter's files in %s cannot be used: %s".formatted(files.directory(), ex), ex);
	}

	@Override
	public void close() {
		this.process.close();
		this.workplace.close();
		this.files.writeResult(new LoadResult(this.results));
	}

}
