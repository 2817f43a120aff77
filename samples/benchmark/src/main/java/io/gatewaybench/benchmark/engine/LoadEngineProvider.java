package io.gatewaybench.benchmark.engine;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import org.jspecify.annotations.Nullable;

/**
 * An engine that can be chosen by its name. Engines are found by {@link ServiceLoader}: a
 * jar on the class path names its providers in
 * {@code META-INF/services/io.gatewaybench.benchmark.engine.LoadEngineProvider}.
 */
public interface LoadEngineProvider {

	/**
	 * The name, as in {@code --engine}.
	 * @return lower-case letters, digits and {@code -}
	 */
	String name();

	/**
	 * Whether several hosts can share a load.
	 * @return {@code false} unless the engine has agents
	 */
	default boolean hasAgents() {
		return false;
	}

	/**
	 * How long a load takes besides its own length, to begin and to end.
	 * @param model open or closed
	 * @param kind what the load is for
	 * @param timeout the response timeout
	 * @return the time, zero for an engine that starts nothing
	 */
	default Duration extra(Model model, Stage.Kind kind, Duration timeout) {
		return Duration.ZERO;
	}

	/**
	 * Whether the engine can send this on this machine.
	 * @param workload who sends what
	 * @param stage how much is sent, and what ends it
	 * @param agents how many load hosts are to share it, 0 for this one alone
	 * @return {@code null} if it can; otherwise why it can't and what to do, to be put
	 * behind its name: {@code is not installed; install it}
	 */
	@Nullable String objection(Workload workload, Stage stage, int agents);

	/**
	 * Creates the engine.
	 * @param setup what it needs
	 * @return the engine
	 */
	LoadEngine create(Setup setup);

	/**
	 * What an engine needs.
	 *
	 * @param directory under which each plan gets the directory for its files
	 * @param prefix what the command line of its processes must begin with, so that they
	 * have the cores they may have
	 * @param generator what starts {@link GeneratorMain}, with the prefix
	 * @param agents the load hosts that share the load, none if this one sends all of it
	 * @param agentKey the file with the key that agents are known by
	 */
	record Setup(Path directory, List<String> prefix, List<String> generator, List<InetSocketAddress> agents,
			Path agentKey) {

		/**
		 * Copies the lists.
		 */
		public Setup {
			prefix = List.copyOf(prefix);
			generator = List.copyOf(generator);
			agents = List.copyOf(agents);
		}

	}

	/**
	 * The engine of a name.
	 * @param name as in {@code --engine}
	 * @return its provider, empty if there is none
	 */
	static Optional<LoadEngineProvider> named(String name) {
		return all().stream().filter((each) -> each.name().equals(name)).findFirst();
	}

	/**
	 * All engines that are there.
	 * @return their providers, our own first
	 */
	static List<LoadEngineProvider> all() {
		return ServiceLoader.load(LoadEngineProvider.class, LoadEngineProvider.class.getClassLoader())
			.stream()
			.map(ServiceLoader.Provider::get)
			.toList();
	}

}
