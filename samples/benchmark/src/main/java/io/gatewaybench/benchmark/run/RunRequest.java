package io.gatewaybench.benchmark.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Host;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.threshold.Thresholds;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.topology.Installation;

/**
 * What the user asked for.
 *
 * @param suite the suite
 * @param scenarios what was chosen of it, in the order of reports
 * @param plan what will be measured
 * @param thresholds what must not hold
 * @param heap heap of every gateway
 * @param out directory for the results
 * @param patience how long a gateway may take to become healthy
 * @param arguments the arguments of the runner, for the record
 */
public record RunRequest(Suite suite, List<Scenario> scenarios, RunPlan plan, Thresholds thresholds, Heap heap,
		Path out, Duration patience, List<String> arguments) {

	/**
	 * The jars of everything that the run starts.
	 * @param installation where those of this project are
	 * @return their paths, each once
	 */
	List<Path> jars(Installation installation) {
		return components().map(Component::plain)
			.filter(Component.Jar.class::isInstance)
			.map((component) -> installation.jar(((Component.Jar) component).jar()))
			.distinct()
			.toList();
	}

	/**
	 * The hosts on which components run.
	 * @return the hosts, each once
	 */
	List<Host> hosts() {
		return components().filter(Component.OnHost.class::isInstance)
			.map((component) -> ((Component.OnHost) component).host())
			.distinct()
			.toList();
	}

	private Stream<Component> components() {
		return Stream.concat(this.suite.components().values().stream(),
				this.scenarios.stream().map((scenario) -> scenario.variant().component()));
	}

}
