package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;

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
	 * What the reader must know to understand the figures.
	 */
	List<String> sentences() {
		List<String> sentences = new ArrayList<>();
		if (any((scenario) -> scenario.load().openModel())) {
			sentences
				.add("Open model: requests start by a schedule that was fixed before the first response, so a stall shows "
						+ "in the response time of every request that was to start in it. Response time counts from the "
						+ "intended start, service time from the send.");
		}
		if (any((scenario) -> !scenario.load().openModel())) {
			sentences.add(CLOSED_LOOP);
		}
		if (any((scenario) -> scenario.load().iterations() != null)) {
			sentences
				.add("Iterations: all connections are open before users begin, all at once. Each sends its number of requests, "
						+ "good or bad, and leaves. The measurement lasts until the last one has left, and throughput is that "
						+ "of the whole time.");
		}
		if (any((scenario) -> scenario.load().hasSteps())) {
			sentences.add(
					"Bursts: a gateway has recovered when, from then on, the P50 of the response time of every second is at "
							+ "most 1.5 times the highest P50 of a second before the burst.");
		}
		if (this.results.settings().engine().equals("jmeter")) {
			sentences
				.add("JMeter sent the requests. It tells latencies in whole milliseconds, and none of the time that the backends "
						+ "took, so there is no overhead. In the open model it opens a connection for each request.");
		}
		if (any((scenario) -> scenario.latency().overhead().count() > 0)) {
			sentences
				.add("Overhead: the service time of a request without the time that its backend took for this very "
						+ "request, which the backend tells (Server-Timing). It is what gateway, network and generator add. "
						+ "The rows without a gateway show what network and generator add.");
		}
		sentences
			.add("CPU per request is user and system time of the gateway process during the slices, divided by successful "
					+ "responses. Garbage collection is part of it. The JIT compilers are not: they have nothing to do in the long run. "
					+ "On a small machine it says more than throughput.");
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
		sentences
			.add("All gateways were up at the same time. A round played a slice of each, in random order, and a variant is "
					+ "compared with its baseline within a round. So what the machine does happens to both, and nothing is left out "
					+ "for it. A slice begins with a lead in which requests are sent and no latency counts.");
		sentences.add("The mean of a start is that of the middle half of its rounds. The interval has what rounds "
				+ "differ by, and what starts differ by; the latter is moderated by what earlier runs have shown (Smyth 2004).");
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
							|| !scenario.gateway().command().getFirst().startsWith("http"));
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

	private boolean any(Predicate<ScenarioResult> condition) {
		return this.results.scenarios().stream().anyMatch(condition);
	}

}
