package io.gatewaybench.benchmark.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import org.HdrHistogram.Histogram;

/**
 * <a href="https://github.com/wg/wrk">wrk</a>, where it is installed, as a second opinion
 * on closed loops. It is written in C and costs next to nothing, but tells less: it knows
 * neither which type an answer belongs to, so that a stage has one result named
 * {@value #ALL}, nor whether a body is right, nor single seconds; and it adds samples to
 * the latencies of a connection that stalled.
 */
public final class WrkLoadEngine implements LoadEngine {

	/**
	 * The name of the only result of a stage.
	 */
	static final String ALL = "all";

	private static final String NAME = "wrk";

	private static final long STOP_SECONDS = 2;

	private final List<String> prefix;

	private final Path directory;

	/**
	 * Creates an engine.
	 * @param prefix what its command line begins with
	 * @param directory under which each plan gets its directory
	 */
	public WrkLoadEngine(List<String> prefix, Path directory) {
		this.prefix = List.copyOf(prefix);
		this.directory = directory;
	}

	@Override
	public String name() {
		return NAME;
	}

	/**
	 * Whether it can be started on this machine.
	 * @return whether it is installed
	 */
	public static boolean isInstalled() {
		try {
			Process process = new ProcessBuilder(NAME, "--version").redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			process.destroyForcibly();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public LoadResult run(LoadPlan plan, ProgressListener progress) throws InterruptedException {
		if (plan.workload().model() != Model.CLOSED || !plan.workload().thinkTime().isZero()) {
			throw new LoadEngineException(
					"wrk sends closed loops without think time only, and plan '%s' is another load"
						.formatted(plan.id()),
					null);
		}
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()));
		List<StageResult> stages = new ArrayList<>();
		boolean enough = false;
		try {
			Files.createDirectories(files.directory());
			files.writePlan(plan);
			Path script = Files.writeString(files.directory().resolve("wrk.lua"), WrkScript.of(plan));
			for (Stage stage : plan.stages()) {
				enough &= stage.dispensable();
				if (!enough) {
					StageResult result = (stage.kind() == Stage.Kind.IDLE) ? rest(stage, progress)
							: load(plan, stage, script, files, progress);
					stages.add(result);
					enough = progress.enough();
				}
			}
			LoadResult result = new LoadResult(NAME, plan.id(), true, stages);
			files.writeResult(result);
			return result;
		}
		catch (IOException ex) {
			throw new LoadEngineException("the load generator wrk or its files in %s cannot be used: %s"
				.formatted(files.directory(), ex.getMessage()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new LoadResult(NAME, plan.id(), false, stages);
		}
	}

	private static StageResult rest(Stage stage, ProgressListener progress) throws InterruptedException {
		Instant start = Instant.now();
		double seconds = stage.duration().toMillis() / 1000.0;
		progress.on(new ProgressEvent.StageStart(stage.name(), stage.kind(), seconds, ProcessHandle.current().pid()));
		Thread.sleep(stage.duration());
		progress.on(new ProgressEvent.StageEnd(stage.name(), 0, 0));
		return new StageResult(stage.name(), stage.kind(), start, seconds, List.of(), List.of(), stats(0));
	}

	private StageResult load(LoadPlan plan, Stage stage, Path script, LoadFiles files, ProgressListener progress)
			throws IOException, InterruptedException {
		int connections = (stage.connections() > 0) ? stage.connections() : plan.workload().connections();
		List<String> command = new ArrayList<>(this.prefix);
		command.addAll(List.of(NAME, "-t1", "-c" + connections, "-d" + Math.max(1, stage.duration().toSeconds()) + "s",
				"--timeout", Math.max(1, plan.timeouts().response().toSeconds()) + "s", "-s", script.toString(),
				plan.target().toString()));
		Path output = files.directory().resolve("wrk-" + stage.name().replaceAll("[^A-Za-z0-9._-]", "_") + ".txt");
		Instant start = Instant.now();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			progress.on(new ProgressEvent.StageStart(stage.name(), stage.kind(), stage.duration().toMillis() / 1000.0,
					process.pid()));
			process.waitFor();
		}
		finally {
			stop(process);
		}
		WrkOutput parsed = WrkOutput.parse(Files.readAllLines(output, StandardCharsets.UTF_8));
		if (parsed == null) {
			throw new IOException(
					"it ended with exit code %d and no result; see %s".formatted(process.exitValue(), output));
		}
		TypeResult all = result(parsed, plan.timeouts().response().toNanos());
		progress.on(new ProgressEvent.StageEnd(stage.name(), all.counts().ok(), all.counts().failed()));
		return new StageResult(stage.name(), stage.kind(), start, parsed.seconds(), List.of(all), List.of(),
				stats(parsed.cpuSeconds()));
	}

	private static void stop(Process process) throws InterruptedException {
		process.destroy();
		if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
			process.destroyForcibly();
		}
	}

	private static TypeResult result(WrkOutput output, long lostNanos) {
		Histogram slo = output.latency().copy();
		long failed = output.counts().failed();
		if (failed > 0) {
			slo.recordValueWithCount(Math.min(lostNanos, LatencyHistogram.HIGHEST_NANOS), failed);
		}
		LatencyHistogram service = LatencyHistogram.of(output.latency());
		return new TypeResult(ALL, output.counts(), output.counts().ok(), Map.of(), output.failures(),
				new LatencyViews(service, service, LatencyHistogram.of(slo), LatencyHistogram.empty()), null);
	}

	private static GeneratorStats stats(double cpuSeconds) {
		return new GeneratorStats(LatencyHistogram.empty(), cpuSeconds, 0, 0, 0, 0);
	}

}
