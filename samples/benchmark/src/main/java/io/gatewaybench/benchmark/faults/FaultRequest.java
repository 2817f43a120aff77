package io.gatewaybench.benchmark.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * What the user asked for.
 *
 * @param gateways whose clients are looked at
 * @param faults what happens to each of them, in this order
 * @param settings load, and how long everything takes
 * @param heap heap of every gateway
 * @param out directory for the results
 * @param arguments the arguments of the runner, for the record
 */
public record FaultRequest(List<Variant> gateways, List<Fault> faults, FaultResults.Settings settings, Heap heap,
		Path out, List<String> arguments) {

	// A generator has to start, an instance to come back, and connections to be closed
	private static final Duration AROUND = Duration.ofSeconds(4);

	/**
	 * How long it takes at most, unless an instance does not come back.
	 * @return an estimate
	 */
	public Duration estimate() {
		Duration all = this.settings.warmup()
			.plus(AROUND)
			.multipliedBy(this.faults.stream().map(Fault::arguments).distinct().count());
		for (Fault fault : this.faults) {
			all = all.plus(Loads.length(this.settings, fault)).plus(AROUND);
		}
		return all.multipliedBy(this.gateways.size());
	}

}
