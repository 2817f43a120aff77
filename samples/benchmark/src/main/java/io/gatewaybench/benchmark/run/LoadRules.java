package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Load;

/**
 * Rules about the load itself: it must have been what was planned, and obey the laws of
 * queues.
 */
final class LoadRules {

	// What the backends say is an estimate. More than this was not delayed by them
	private static final double MAX_REACHED = 1.03;

	// Little's law holds for every closed loop whose users stay to the end; edges of the
	// measurement account for this
	// much
	private static final double LITTLE_TOLERANCE = 0.05;

	// Of a normal distribution, 6 in 100,000 samples are further from the mean
	private static final double SIGMAS = 4;

	private static final double SCHEDULE_TOLERANCE = 0.005;

	private static final double MAX_WAITED = 0.01;

	private LoadRules() {
	}

	static List<Objection> little(MeasurementContext context) {
		Double mean = context.stage().total().latency().response().summary().meanMs();
		// What tells no types apart is wrk, whose latencies have samples that it added
		if (!context.isClosed() || mean == null || !context.tellsTypes()) {
			return List.of();
		}
		Workload workload = context.scenario().workload();
		int iterations = context.planned().iterations();
		double users = context.stage().throughput() * (mean + context.thinkMillis()) / 1000;
		// The answers in flight at the end are outside the window, which shows in a
		// short one
		double tolerance = LITTLE_TOLERANCE + mean / 1000 / context.stage().seconds();
		double off = users / workload.connections() - 1;
		// Users who have sent all their requests leave before the others
		return ((iterations > 0) ? off <= tolerance : Math.abs(off) <= tolerance) ? List.of()
				: Objection.toAll("throughput x latency is %.1f, but there were %d connections (Little's law)", users,
						workload.connections());
	}

	static List<Objection> mix(MeasurementContext context) {
		if (!context.tellsTypes()) {
			return List.of();
		}
		List<Objection> objections = new ArrayList<>();
		long intended = context.stage().total().counts().intended();
		List<RequestType> mix = context.scenario().workload().mix();
		double weights = mix.stream().mapToDouble(RequestType::weight).sum();
		for (RequestType type : mix) {
			double share = type.weight() / weights;
			double sigma = Math.sqrt(share * (1 - share) * intended);
			long observed = context.stage()
				.types()
				.stream()
				.filter((result) -> result.type().equals(type.name()))
				.mapToLong((result) -> result.counts().intended())
				.sum();
			if (Math.abs(observed - share * intended) > SIGMAS * sigma + 1) {
				objections.addAll(Objection.toAll("%s is %.1f %% of the requests instead of %.1f %%", type.name(),
						100.0 * observed / intended, 100 * share));
			}
		}
		return objections;
	}

	static List<Objection> schedule(MeasurementContext context) {
		if (context.isClosed()) {
			return List.of();
		}
		double planned = context.planned().plannedRequests();
		long intended = context.stage().total().counts().intended();
		double chance = (context.planned().arrivals() == Arrivals.POISSON) ? SIGMAS * Math.sqrt(planned) : 1;
		return (Math.abs(intended - planned) <= SCHEDULE_TOLERANCE * planned + chance) ? List.of()
				: Objection.toAll("%d requests were offered instead of %.0f", intended, planned);
	}

	static List<Objection> iterations(MeasurementContext context) {
		long planned = (long) context.planned().iterations() * context.scenario().workload().connections();
		long intended = context.stage().total().counts().intended();
		return (planned == 0 || intended == planned) ? List.of() : Objection.toAll(
				"%d of %d requests were sent in %d s; allow more time with max-duration, or send fewer with iterations",
				intended, planned, context.planned().duration().toSeconds());
	}

	/**
	 * A request that waits for a connection of the generator has its clock running, but
	 * the gateway does not see it. The highest rate is the one that goes through these
	 * connections: the wait is part of the response time that its limit is for.
	 */
	static List<Objection> waiting(MeasurementContext context) {
		double waited = context.stage().generator().queued()
				/ (double) Math.max(1, context.stage().total().counts().intended());
		boolean judged = !context.isClosed() && context.scenario().load().p99Limit() == null;
		return (!judged || waited <= MAX_WAITED) ? List.of() : Objection.toAll(
				"%.1f %% of the requests waited for one of the %d connections, more than %.0f %%; allow more with --connections",
				waited * 100, context.scenario().workload().connections(), MAX_WAITED * 100);
	}

	/**
	 * A rate that held in the search, and does not in the measurement, is too high.
	 */
	static List<Objection> p99Limit(MeasurementContext context) {
		Load load = context.scenario().load();
		Duration limit = load.p99Limit();
		double p99 = RateSearch.p99Millis(context.stage().total());
		return (limit == null || p99 <= limit.toMillis()) ? List.of() : Objection.toAll(
				"at %.0f requests per second, the highest rate of the search, the P99 was %.0f ms, more than the limit of %d ms",
				load.rate(), p99, limit.toMillis());
	}

	static List<Objection> theoreticalMaximum(MeasurementContext context) {
		if (!context.isClosed()) {
			return List.of();
		}
		if (context.backendMeanMs() == null && context.tellsBackend()) {
			return Objection.toAll(
					"the backends did not tell their latency for all types of requests, so the theoretical maximum is unknown");
		}
		TheoreticalMaximum maximum = context.theoreticalMaximum();
		return (maximum == null || maximum.reached() <= MAX_REACHED) ? List.of() : Objection.toAll(
				"%.1f %% of the theoretical maximum was reached, which is impossible: the backends' figures are wrong",
				maximum.reached() * 100);
	}

}
