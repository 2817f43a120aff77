package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Runs each session in a JVM of its own, so that the generator shares nothing but the
 * machine with the runner. A session's files go to a directory named by the id of its
 * plan: {@code plan.json}, {@code load.json} and {@code generator.log}.
 *
 * @param command the command that starts a generator, to which the path of the plan is
 * appended; such as {@code [java, -Xmx512m, -jar, benchmark.jar, generate]}
 * @param directory under which each plan gets its directory
 * @param patience how long a generator may say nothing
 */
public record ForkedLoadEngine(List<String> command, Path directory, Duration patience) implements LoadEngine {

	/**
	 * The name of the engine that is used unless another one is chosen.
	 */
	public static final String NAME = "embedded";

	/**
	 * JVM flags that suit the generator: a small heap of which little is used, and a
	 * collector without threads of its own.
	 */
	public static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC",
			"-XX:+DisplayVMOutputToStderr", "--enable-native-access=ALL-UNNAMED");

	// For a generator that gets next to nothing of a busy machine
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * An engine with the patience that a busy machine needs.
	 * @param command the command that starts a generator
	 * @param directory under which each plan gets its directory
	 */
	public ForkedLoadEngine(List<String> command, Path directory) {
		this(command, directory, PATIENCE);
	}

	@Override
	public LoadSession open(LoadPlan plan) throws InterruptedException {
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()));
		LineProcess process = start(plan, files);
		try {
			return new ForkedLoadSession(plan, files, process, this.patience);
		}
		catch (InterruptedException | RuntimeException ex) {
			process.kill();
			throw ex;
		}
	}

	private LineProcess start(LoadPlan plan, LoadFiles files) {
		List<String> full = new ArrayList<>(this.command);
		full.add(files.plan().toString());
		try {
			files.writePlan(plan);
			return new LineProcess("the load generator", full, files.log(), ForkedLoadSession.STOP);
		}
		catch (IOException ex) {
			throw new BenchFailure("the load generator cannot be started by '%s' with its files in %s: %s"
				.formatted(String.join(" ", this.command), files.directory(), ex.getMessage()), ex);
		}
	}

}
