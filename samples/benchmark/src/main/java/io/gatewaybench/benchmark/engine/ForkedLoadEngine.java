package io.gatewaybench.benchmark.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Runs each session in a JVM of its own, so that the generator shares nothing but the
 * machine with the runner. A session's files go to a directory named by the id of its
 * plan: {@code plan.json}, {@code load.json}, {@code <type>-<view>.hlog} and
 * {@code generator.log}.
 */
public final class ForkedLoadEngine implements LoadEngine {

	/**
	 * JVM flags that suit the generator: a small heap of which little is used, and a
	 * collector without threads of its own.
	 */
	public static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC",
			"-XX:+DisplayVMOutputToStderr", "--enable-native-access=ALL-UNNAMED");

	private final List<String> command;

	private final Path directory;

	/**
	 * Creates an engine.
	 * @param command the command that starts a generator, to which the path of the plan
	 * and the directory of the results are appended; such as
	 * {@code [java, -Xmx512m, -jar, benchmark.jar, generate]} or
	 * {@code [java, -cp, ..., io.gatewaybench.benchmark.engine.GeneratorMain]}
	 * @param directory under which each plan gets its directory
	 */
	public ForkedLoadEngine(List<String> command, Path directory) {
		this.command = List.copyOf(command);
		this.directory = directory;
	}

	@Override
	public LoadSession open(LoadPlan plan) throws InterruptedException {
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()));
		try {
			return ForkedLoadSession.start(this.command, plan, files);
		}
		catch (IOException ex) {
			throw new LoadEngineException(
					"the load generator's files in %s cannot be used: %s".formatted(files.directory(), ex.getMessage()),
					ex);
		}
	}

	/**
	 * The engine that is used unless another one is chosen. It can send everything.
	 */
	public static final class Provider implements LoadEngineProvider {

		/**
		 * The name of the engine.
		 */
		public static final String NAME = "embedded";

		@Override
		public String name() {
			return NAME;
		}

		@Override
		public @Nullable String objection(Workload workload, Stage stage, int agents) {
			return null;
		}

		@Override
		public LoadEngine create(Setup setup) {
			return new ForkedLoadEngine(setup.generator(), setup.directory());
		}

	}

}
