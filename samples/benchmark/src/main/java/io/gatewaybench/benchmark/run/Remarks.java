package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.topology.Running;

/**
 * What a reader has to know of the figures of a scenario. A disturbance by others is no
 * remark: it is in every slice of a round, and so in no ratio. A gateway that fails is a
 * result.
 *
 * @param scenario what was measured
 * @param slices its slices
 * @param stage all of them together
 * @param maximum what the backends' latency allows, {@code null} where unknown
 * @param target what was loaded
 */
record Remarks(Scenario scenario, List<Played> slices, StageResult stage, @Nullable TheoreticalMaximum maximum,
		Running target) {

	private static final double MAX_LOST = 0.001;

	// Of one core, which is all that the generator's event loop can have
	private static final double MAX_GENERATOR = 0.8;

	private static final double MAX_LAG_MS = 1;

	private static final double MAX_LAG = 0.05;

	// The least part of its requests that an agent may send
	private static final double MIN_AGENT = 0.95;

	// In a closed loop an agent's part follows from its latencies
	private static final double MIN_AGENT_CLOSED = 0.5;

	private static final long MAX_CLOCK_MS = 250;

	private static final double MAX_LATE = 0.05;

	// What the backends say is an estimate. More than this was not delayed by them
	private static final double MAX_REACHED = 1.03;

	// Little's law holds for every closed loop whose users stay to the end; edges of the
	// slices account for this much
	private static final double LITTLE_TOLERANCE = 0.05;

	// Of a normal distribution, 6 in 100,000 samples are further from the mean
	private static final double SIGMAS = 4;

	private static final double SCHEDULE_TOLERANCE = 0.005;

	private static final double MAX_WAITED = 0.01;

	/**
	 * Why a slice says nothing of the target.
	 * @return {@code null} if the harness did what it should
	 */
	static @Nullable String voidReason(Played slice) {
		StageResult stage = slice.stage();
		Counts counts = stage.total().counts();
		if (!stage.balanced()) {
			return String.format(Locale.ROOT, "%d of %d requests are unaccounted for",
					Math.abs(counts.intended() - counts.ok() - counts.failed()), counts.intended());
		}
		if (stage.total()
			.failures()
			.stream()
			.anyMatch((failure) -> failure.contains("Cannot assign requested address"))) {
			return "this machine had no local port left for another connection";
		}
		return Optional.ofNullable(lag(slice)).or(() -> Optional.ofNullable(schedule(slice))).orElse(agents(stage));
	}

	/**
	 * A generator that is late measures itself. Its delay is part of the response time,
	 * so where a rate is searched within a limit, it is compared with the limit.
	 */
	private static @Nullable String lag(Played slice) {
		LatencySummary lag = slice.stage().generator().lag().summary();
		Double p99 = lag.p99OrMaxMs();
		if (p99 == null || slice.scenario().workload().model() == Model.CLOSED) {
			return null;
		}
		var within = slice.scenario().load().p99Limit();
		Double p50 = slice.stage().total().latency().response().summary().p50Ms();
		double compared = (within != null) ? within.toMillis() : Objects.requireNonNullElse(p50, 0.0);
		double limit = Math.max(MAX_LAG_MS, MAX_LAG * compared);
		return (p99 <= limit) ? null : String.format(Locale.ROOT,
				"the load generator was late: %.2f ms at its P99, more than %.2f ms", p99, limit);
	}

	private static @Nullable String schedule(Played slice) {
		Stage stage = slice.planned();
		if (stage.rate() == 0) {
			return null;
		}
		double planned = stage.plannedRequests();
		long intended = slice.stage().total().counts().intended();
		double chance = (stage.arrivals() == Arrivals.POISSON) ? SIGMAS * Math.sqrt(planned) : 1;
		return (Math.abs(intended - planned) <= SCHEDULE_TOLERANCE * planned + chance) ? null
				: String.format(Locale.ROOT, "%d requests were offered instead of %.0f", intended, planned);
	}

	/**
	 * An agent that is slow, or whose clock is wrong, spoils what all agents did
	 * together.
	 */
	private static @Nullable String agents(StageResult stage) {
		List<AgentResult> agents = stage.generator().agents();
		double mean = agents.stream().mapToLong(AgentResult::sent).average().orElse(0);
		for (AgentResult agent : agents) {
			double planned = (agent.planned() != null) ? agent.planned() : mean;
			double part = (planned > 0) ? agent.sent() / planned : 1;
			if (part < ((agent.planned() != null) ? MIN_AGENT : MIN_AGENT_CLOSED)) {
				return String.format(Locale.ROOT, "the agent %s sent %.0f %% of its part of the requests",
						agent.agent(), part * 100);
			}
			if (Math.abs(agent.clockMs()) > MAX_CLOCK_MS) {
				return String.format(Locale.ROOT, "the clock of the agent %s is %.1f s %s", agent.agent(),
						Math.abs(agent.clockMs()) / 1e3, (agent.clockMs() > 0) ? "ahead" : "behind");
			}
		}
		long first = agents.stream().mapToLong(AgentResult::firstMs).min().orElse(0);
		AgentResult last = agents.stream().max(Comparator.comparingLong(AgentResult::firstMs)).orElse(null);
		double millis = stage.seconds() * 1e3;
		double chance = (last != null && last.planned() != null && last.planned() > 0) ? 7 * millis / last.planned()
				: 0;
		return (last == null || last.firstMs() - first <= Math.max(MAX_LATE * millis, MAX_CLOCK_MS + chance)) ? null
				: String.format(Locale.ROOT, "the agent %s began %.1f s later than the first one", last.agent(),
						(last.firstMs() - first) / 1e3);
	}

	/**
	 * What the target did wrong.
	 */
	List<String> failures() {
		Counts counts = this.stage.total().counts();
		List<String> failures = new ArrayList<>();
		if (this.target.lostHost() != null) {
			failures.add("the connection to the host " + this.target.lostHost() + " was lost");
		}
		else if (!this.target.isAlive()) {
			failures.add("the gateway ended");
		}
		if (counts.ok() == 0) {
			failures.add("no response was successful" + this.stage.total()
				.failures()
				.stream()
				.findFirst()
				.map((failure) -> " (" + failure + ")")
				.orElse(""));
		}
		else if (counts.failed() > MAX_LOST * counts.intended()) {
			failures.add(String.format(Locale.ROOT, "%.2f %% of the requests failed, more than the limit of %.1f %%",
					counts.failed() * 100.0 / counts.intended(), MAX_LOST * 100));
		}
		return failures;
	}

	/**
	 * All remarks.
	 */
	List<String> all() {
		List<@Nullable String> remarks = new ArrayList<>(
				this.slices.stream().map(Played::fault).filter(Objects::nonNull).distinct().toList());
		Counts counts = this.stage.total().counts();
		if (counts.ok() > 0) {
			remarks.add(generator());
			remarks.add(theoreticalMaximum());
			remarks.add(p99Limit());
		}
		if (failures().isEmpty()) {
			remarks.add(little());
			remarks.add(waiting());
			remarks.add(iterations());
		}
		return remarks.stream().filter(Objects::nonNull).toList();
	}

	private boolean isClosed() {
		return this.scenario.workload().model() == Model.CLOSED;
	}

	private @Nullable String generator() {
		double cores = this.stage.generator().cpuSeconds() / this.stage.seconds();
		// Agents have as many threads as they need. Without a gateway, generator and
		// backends are what is measured
		return (cores <= MAX_GENERATOR || !this.stage.generator().agents().isEmpty() || this.scenario.variant()
			.control()) ? null : String.format(Locale.ROOT,
					"the load generator used %.0f %% of a core, more than %.0f %%, so it may have limited the throughput",
					cores * 100, MAX_GENERATOR * 100);
	}

	private @Nullable String little() {
		Double mean = this.stage.total().latency().response().summary().meanMs();
		if (!isClosed() || mean == null) {
			return null;
		}
		int connections = this.scenario.workload().connections();
		Played any = this.slices.getFirst();
		double users = this.stage.throughput() * (mean + StartResults.thinkMillis(any)) / 1000;
		// The answers in flight at the end are outside the window, which shows in a
		// short one
		double tolerance = LITTLE_TOLERANCE + mean / 1000 * this.slices.size() / this.stage.seconds();
		double off = users / connections - 1;
		// Users who have sent all their requests leave before the others
		boolean holds = (any.planned().iterations() > 0) ? off <= tolerance : Math.abs(off) <= tolerance;
		return holds ? null : String.format(Locale.ROOT,
				"throughput x latency is %.1f, but there were %d connections (Little's law)", users, connections);
	}

	private @Nullable String iterations() {
		long planned = (long) this.slices.getFirst().planned().iterations() * this.scenario.workload().connections()
				* this.slices.size();
		long intended = this.stage.total().counts().intended();
		return (planned == 0 || intended == planned) ? null : String.format(Locale.ROOT,
				"%d of %d requests were sent in time; allow more with max-duration, or send fewer with iterations",
				intended, planned);
	}

	/**
	 * A request that waits for a connection of the generator has its clock running, but
	 * the gateway does not see it. The highest rate is the one that goes through these
	 * connections: the wait is part of the response time that its limit is for.
	 */
	private @Nullable String waiting() {
		double waited = this.stage.generator().queued() / (double) Math.max(1, this.stage.total().counts().intended());
		boolean judged = !isClosed() && this.scenario.load().p99Limit() == null;
		return (!judged || waited <= MAX_WAITED) ? null
				: String.format(Locale.ROOT,
						"%.1f %% of the requests waited for one of the %d connections; allow more with --connections",
						waited * 100, this.scenario.workload().connections());
	}

	private @Nullable String p99Limit() {
		var limit = this.scenario.load().p99Limit();
		double p99 = RateSearch.p99Millis(this.stage.total());
		return (limit == null || p99 <= limit.toMillis()) ? null
				: String.format(Locale.ROOT,
						"at the highest rate of the search, the P99 was %.0f ms, more than the limit of %d ms", p99,
						limit.toMillis());
	}

	private @Nullable String theoreticalMaximum() {
		return (this.maximum == null || this.maximum.reached() <= MAX_REACHED) ? null : String.format(Locale.ROOT,
				"%.1f %% of the theoretical maximum was reached, which is impossible: the backends' figures are wrong",
				this.maximum.reached() * 100);
	}

}
