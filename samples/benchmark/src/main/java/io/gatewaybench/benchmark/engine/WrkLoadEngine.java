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
import java.util.function.Consumer;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

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

	private static boolean sends(Workload workload) {
		return workload.model() == Model.CLOSED && workload.thinkTime().isZero();
	}

	private static boolean sends(Stage stage) {
		return stage.iterations() == 0;
	}

	@Override
	public LoadSession open(LoadPlan plan) {
		if (!sends(plan.workload())) {
			throw new LoadEngineException(
					"wrk sends closed loops without think time only, and plan '%s' is another load"
						.formatted(plan.id()),
					null);
		}
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()));
		try {
			Files.createDirectories(files.directory());
			files.writePlan(plan);
			return new Session(plan, files);
		}
		catch (IOException ex) {
			throw unusable(files, ex);
		}
	}

	private static LoadEngineException unusable(LoadFiles files, IOException ex) {
		return new LoadEngineException("the load generator wrk or its files in %s cannot be used: %s"
			.formatted(files.directory(), ex.getMessage()), ex);
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

	/**
	 * A process for every stage.
	 */
	private final class Session implements LoadSession {

		private final LoadPlan plan;

		private final LoadFiles files;

		private final List<StageResult> results = new ArrayList<>();

		private boolean complete = true;

		Session(LoadPlan plan, LoadFiles files) {
			this.plan = plan;
			this.files = files;
		}

		@Override
		public String engine() {
			return NAME;
		}

		@Override
		public @Nullable Long pid() {
			return null;
		}

		@Override
		public StageResult run(Stage stage, Consumer<Progress> progress) throws InterruptedException {
			this.plan.check(stage);
			if (!sends(stage)) {
				throw new LoadEngineException(
						"wrk ends by time only, and stage '%s' ends by iterations".formatted(stage.name()), null);
			}
			if (!this.complete) {
				throw LoadEngineException.over(this.plan);
			}
			// Until it is known that this one went well
			this.complete = false;
			try {
				StageResult result = load(stage);
				this.results.add(result);
				this.complete = true;
				return result;
			}
			catch (IOException ex) {
				throw unusable(this.files, ex);
			}
		}

		private StageResult load(Stage stage) throws IOException, InterruptedException {
			int connections = (stage.connections() > 0) ? stage.connections() : this.plan.workload().connections();
			long timeoutNanos = this.plan.timeouts().response().toNanos();
			String file = "wrk-%d-%s".formatted(this.results.size() + 1,
					stage.name().replaceAll("[^A-Za-z0-9._-]", "_"));
			Path script = Files.writeString(this.files.directory().resolve(file + ".lua"),
					WrkScript.of(this.plan, stage));
			List<String> command = new ArrayList<>(WrkLoadEngine.this.prefix);
			command
				.addAll(List.of(NAME, "-t1", "-c" + connections, "-d" + Math.max(1, stage.duration().toSeconds()) + "s",
						"--timeout", Math.max(1, TimeUnit.NANOSECONDS.toSeconds(timeoutNanos)) + "s", "-s",
						script.toString(), this.plan.target().toString()));
			Path output = this.files.directory().resolve(file + ".txt");
			Instant start = Instant.now();
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			try {
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
			return new StageResult(stage.name(), stage.kind(), start, parsed.seconds(), true,
					List.of(result(parsed, timeoutNanos)), List.of(), stats(parsed.cpuSeconds()));
		}

		@Override
		public void close() {
			try {
				this.files.writeResult(new LoadResult(NAME, this.plan.id(), this.complete, this.results));
			}
			catch (IOException ex) {
				throw unusable(this.files, ex);
			}
		}

	}

	/**
	 * Lets wrk be chosen by its name.
	 */
	public static final class Provider implements LoadEngineProvider {

		@Override
		public String name() {
			return NAME;
		}

		@Override
		public @Nullable String objection(Workload workload, Stage stage, int agents) {
			return !(sends(workload) && sends(stage))
					? "sends closed loops only, without think time and iterations; choose another load"
					: isInstalled() ? null : "is not installed; install it (Debian's package wrk)";
		}

		@Override
		public LoadEngine create(Setup setup) {
			return new WrkLoadEngine(setup.prefix(), setup.directory());
		}

	}

}
