package io.gatewaybench.benchmark.load;

import java.util.List;

/**
 * What the generator itself did in a stage, to judge whether it was up to its task.
 *
 * @param lag from the intended start to the moment the generator acted on it (sent the
 * request, or put it into the queue because every connection was busy); its own lateness,
 * not the target's. Empty in the closed model
 * @param cpuSeconds CPU time of the generator's process from start to end of the stage,
 * drain included
 * @param reconnects connections that replaced one that was lost or closed
 * @param queued requests that had to wait for a connection
 * @param agents what each agent did, none with an engine that has no agents
 */
public record GeneratorStats(LatencyHistogram lag, double cpuSeconds, long reconnects, long queued,
		List<AgentResult> agents) {

	/**
	 * Copies the list.
	 */
	public GeneratorStats {
		// Results that are older than this field have null
		agents = (agents != null) ? List.copyOf(agents) : List.of();
	}

	/**
	 * What the generators of several hosts did together.
	 * @param parts one for each host
	 * @return the sum
	 */
	static GeneratorStats merge(List<GeneratorStats> parts) {
		return new GeneratorStats(LatencyHistogram.merge(parts.stream().map(GeneratorStats::lag).toList()),
				parts.stream().mapToDouble(GeneratorStats::cpuSeconds).sum(),
				parts.stream().mapToLong(GeneratorStats::reconnects).sum(),
				parts.stream().mapToLong(GeneratorStats::queued).sum(),
				parts.stream().map(GeneratorStats::agents).flatMap(List::stream).toList());
	}

}
