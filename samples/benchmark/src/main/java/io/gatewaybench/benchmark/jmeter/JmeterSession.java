package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.gatewaybench.benchmark.export.ExportFormat;
import io.gatewaybench.benchmark.export.ExportRequest;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadResult;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * Writes each stage as a test plan, lets it be played, and adds up the samples.
 */
final class JmeterSession implements LoadSession {

	private static final Duration WARM_UP = Duration.ofSeconds(2);

	private final LoadPlan plan;

	private final LoadFiles files;

	private final Player player;

	private final Lock turn;

	private final List<StageResult> results = new ArrayList<>();

	private boolean complete = true;

	private boolean closed;

	/**
	 * Creates a session.
	 * @param plan what is sent
	 * @param files where its files go
	 * @param player what plays stages, closed with the session
	 * @param turn held while a stage is played
	 */
	JmeterSession(LoadPlan plan, LoadFiles files, Player player, Lock turn) {
		this.plan = plan;
		this.files = files;
		this.player = player;
		this.turn = turn;
	}

	@Override
	public String engine() {
		return JmeterLoadEngine.NAME;
	}

	@Override
	public long pid() {
		return this.player.pid();
	}

	@Override
	public StageResult run(Stage stage, IntConsumer progress) throws InterruptedException {
		this.plan.check(stage, !this.complete);
		// Also throws if the status is set, with which files can't be written
		this.turn.lockInterruptibly();
		// Until it is known that this one went well
		this.complete = false;
		try {
			StageResult result = load(stage, progress);
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

	private StageResult load(Stage stage, IntConsumer progress) throws IOException, InterruptedException {
		String name = "jmeter-%d-%s".formatted(this.results.size() + 1,
				stage.name().replaceAll("[^A-Za-z0-9._-]", "_"));
		Path samples = this.files.directory().resolve(name + ".tsv");
		Path test = this.files.directory().resolve(name + ".jmx");
		Files.writeString(test, ExportFormat.JMETER.export(request(name, stage)).content());
		Duration before = this.player.cpuTime();
		boolean interrupted = false;
		try {
			this.player.play(stage, test, samples, progress);
		}
		catch (InterruptedException ex) {
			interrupted = true;
			// Otherwise the rest of the stage would be sent
			this.player.close();
		}
		// Of a process that has ended it is not known
		double cpuSeconds = Math.max(0, this.player.cpuTime().minus(before).toMillis() / 1e3);
		StageResult result = result(stage, samples, !interrupted, cpuSeconds);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return result;
	}

	private ExportRequest request(String name, Stage stage) {
		// Where users can't be divided, as in a warm-up, some are left out
		int users = Math.max(1, this.plan.total(stage) / senders());
		Stage share = new Stage(name, stage.kind(), stage.lead(), stage.duration(), stage.rate() / senders(),
				stage.arrivals(), stage.steps(), users, stage.iterations(), stage.mix());
		// Agents with the same seed would send at the same moments
		long seed = (senders() > 1) ? 0 : this.plan.seed();
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
		SampleFile samples = new SampleFile(file, this.plan, stage, this.player.senders(), this.player.started());
		boolean byTime = stage.iterations() == 0 && whole;
		return new StageResult(stage.name(), stage.kind(), Instant.ofEpochMilli(this.player.started()),
				byTime ? stage.duration().toMillis() / 1e3 : samples.seconds(), whole, samples.types(),
				samples.series(),
				new GeneratorStats(LatencyHistogram.empty(), cpuSeconds, 0, 0, 0, 0, samples.agents(planned(stage))));
	}

	private @Nullable Double planned(Stage stage) {
		double requests = (stage.rate() > 0) ? stage.plannedRequests()
				: (double) stage.iterations() * this.plan.total(stage);
		return (requests > 0) ? (Double) (requests / senders()) : null;
	}

	private int senders() {
		return this.player.senders().size();
	}

	static BenchFailure unusable(LoadFiles files, IOException ex) {
		return new BenchFailure("JMeter's files in %s cannot be used: %s".formatted(files.directory(), ex), ex);
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.player.close();
		try {
			this.files.writeResult(new LoadResult(engine(), this.plan.id(), this.complete, this.results));
		}
		catch (IOException ex) {
			throw unusable(this.files, ex);
		}
	}

}
