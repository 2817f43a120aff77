package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.suite.Design;

/**
 * How a run measured, and how far its figures go.
 *
 * @param results the run
 */
record Method(RunResults results) {

	private static final String CLOSED_LOOP = "Closed loop: every connection sends its next request when the response to the last one is complete. So "
			+ "the load follows the gateway, and latency is service time: while the gateway stalls, no request is "
			+ "sent, and the stall is counted once per connection instead of once per request that would have come "
			+ "(coordinated omission). The figures fit the published ones, which were measured in the same way; they "
			+ "are no statement about the latency at a given rate.";

	/**
	 * What the number of blocks is worth.
	 */
	String certainty() {
		int blocks = repetitions();
		if (blocks == 1) {
			return "One undisturbed block: there is no interval, so a difference can't be told from noise. Use "
					+ "--blocks 3 or more, --full, or a machine that does nothing else.";
		}
		if (isOneStart()) {
			return "One start of each gateway: two starts of a JVM differ, so a difference under 20 % is not claimed, "
					+ "however narrow its interval. Use --starts 3 or more, or --full.";
		}
		double factor = Interval.widthFactor(blocks) / Interval.widthFactor(10);
		return String.format(Locale.ROOT,
				"%d %s: with the same noise, intervals are %.1f times as wide as those of 10. A difference under 10 %% needs "
						+ "about 10 of them, one under 3 %% is not claimed at all.",
				blocks, this.results.settings().design().isResident() ? "starts" : "blocks", factor);
	}

	private boolean isOneStart() {
		return this.results.settings().design().isResident() && this.results.settings().starts() == 1;
	}

	/**
	 * What the reader must know to understand the figures.
	 */
	List<String> sentences() {
		List<String> sentences = new ArrayList<>();
		if (this.results.scenarios().stream().anyMatch((scenario) -> scenario.load().openModel())) {
			sentences
				.add("Open model: requests start by a schedule that was fixed before the first response, so a stall shows "
						+ "in the response time of every request that was to start in it. Response time counts from the "
						+ "intended start, service time from the send.");
		}
		if (this.results.scenarios().stream().anyMatch((scenario) -> !scenario.load().openModel())) {
			sentences.add(CLOSED_LOOP);
		}
		if (hasIterations()) {
			sentences
				.add("Iterations: all connections are open before users begin, all at once. Each sends its number of requests, "
						+ "good or bad, and leaves. The measurement lasts until the last one has left, and throughput is that "
						+ "of the whole time.");
		}
		if (this.results.settings().engine().equals("jmeter")) {
			sentences
				.add("JMeter sent the requests. It tells latencies in whole milliseconds, and none of the time that the backends "
						+ "took, so there is no overhead. In the open model it opens a connection for each request.");
		}
		sentences
			.add("SLO P99 counts every request without a successful response as slower than the limit of the client.");
		if (this.results.scenarios().stream().anyMatch((scenario) -> scenario.latency().overhead().count() > 0)) {
			sentences
				.add("Overhead: the service time of a request without the time that its backend took for this very "
						+ "request, which the backend tells (Server-Timing). It is what gateway, network and generator add. "
						+ "The rows without a gateway show what network and generator add.");
		}
		if (this.results.scenarios().stream().anyMatch((scenario) -> scenario.theoreticalMaximum() != null)) {
			sentences
				.add("A throughput of 97 % of the theoretical maximum or more, and the mean latency that follows from it, stay valid "
						+ "under noise and with a gateway that is not warm: they can be wrong by 3 % at most. Steal in less than half of the seconds does not spoil medians and CPU time.");
			sentences
				.add("Theoretical maximum: connections / mean latency of the backends (Little's law), with the latency that the backends "
						+ "achieved in this very scenario, weighted by the mix that was observed. No gateway can exceed it; the "
						+ "missing part is what gateway, network and client add.");
		}
		sentences
			.add("CPU per request is user and system time of the gateway process during the measurement, divided by successful "
					+ "responses. Garbage collection is part of it. The JIT compilers are not: they have nothing to do in the long run. "
					+ "On a small machine it says more than throughput.");
		if (this.results.scenarios().stream().anyMatch((scenario) -> scenario.resources().jvm() != null)) {
			sentences
				.add("Every measurement begins with a clean heap: the gateway collects all its garbage in the rest before it. "
						+ "What garbage collection costs in the long run is in the table of the warm-up (GC, µs per successful response), "
						+ "in which no collection is forced.");
		}
		sentences.add(
				"n/a stands where there are too few samples: a percentile p needs 10 / (1 - p) of them, 1,000 for P99.");
		if (isOnOneMachine()) {
			sentences.add("Client, gateway and backends share one machine and compete for its "
					+ this.results.environment().cores()
					+ " cores; a gateway that leaves less CPU to the others looks slower than it is.");
			sentences.add(groups());
		}
		else {
			sentences.add(
					"The runner did not start everything on its own machine. The network between the machines is part of every "
							+ "latency, and not all that they do is known.");
		}
		sentences.add(design() + " " + certainty());
		return sentences;
	}

	// Other hosts are in the table of the environment. What ran already may be anywhere
	private boolean isOnOneMachine() {
		return this.results.environment()
			.machine()
			.keySet()
			.stream()
			.noneMatch((name) -> name.startsWith("host ") || name.startsWith("load host "))
				&& this.results.scenarios()
					.stream()
					.allMatch((scenario) -> scenario.gateway() == null || scenario.gateway().command().size() != 1
							|| !scenario.gateway().command().getFirst().startsWith("http://"));
	}

	private String groups() {
		return switch (this.results.environment().groupedBy()) {
			case CGROUPS_V1, CGROUPS_V2 ->
				"Gateway, generator and backends have a control group of their own each, of the "
						+ "same weight. Linux shares the cores among these groups, as it does among services and containers.";
			case SESSIONS -> "Gateway, generator and backends have a session of their own each. Where the kernel says "
					+ "sched_autogroup_enabled=1, it shares the cores among sessions, as it does among services and containers.";
			case NOTHING ->
				"Gateway, generator and backends share one session, so the kernel shares the cores among all threads. A "
						+ "gateway with many threads then takes CPU time from the generator. The generator sends fewer requests, so "
						+ "the P99 is shorter than in production.";
		};
	}

	/**
	 * Whether users of a load send a fixed number of requests.
	 */
	boolean hasIterations() {
		return this.results.scenarios().stream().anyMatch((scenario) -> scenario.load().iterations() != null);
	}

	private String design() {
		int starts = this.results.settings().starts();
		String stay = (starts > 1)
				? "They stayed from block to block and were started " + starts
						+ " times in all. What counts is the mean of "
						+ "each start, so the intervals include the difference between two starts of a JVM."
				: "They stayed from block to block, so the intervals include what changes from block to block, and not "
						+ "the difference between two starts of a JVM.";
		return switch (this.results.settings().design()) {
			case FRESH ->
				"Every block measures every variant once, with a fresh gateway, in random order, so that what the "
						+ "machine does in the meantime happens to all of them. What something disturbed is measured again "
						+ "at the end, as far as there is time, and the one of which more figures can be used counts.";
			case TURNS -> "Every block measures every gateway once, in random order. " + stay;
			case DUETS ->
				"Every block measures two gateways at the same time (a duet), so that what the machine does happens to "
						+ "both at the same moment. Their ratio is what counts; throughput and latency are those of two gateways "
						+ "that share the machine. " + stay;
		};
	}

	/**
	 * How many measurements an interval is made of.
	 */
	int repetitions() {
		return this.results.analysis()
			.comparisons()
			.stream()
			.map((comparison) -> comparison.result().ratio())
			.filter(Objects::nonNull)
			.mapToInt(Interval::samples)
			.max()
			.orElse((this.results.settings().design() == Design.DUETS) ? 1 : this.results.settings().blocks());
	}

}
