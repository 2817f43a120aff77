package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Bound;

/**
 * Rules about the load itself: it must have been what was planned, and obey the laws of
 * queues.
 */
final class LoadRules {

	// The bound is an estimate from the backends' clock; what exceeds it by more than
	// this was not delayed
	private static final double MAX_REACHED = 1.03;

	// Little's law holds for every closed loop; edges of the measurement account for this
	// much
	private static final double LITTLE_TOLERANCE = 0.05;

	// Of a normal distribution, 6 in 100,000 samples are further from the mean
	private static final double SIGMAS = 4;

	private static final double SCHEDULE_TOLERANCE = 0.005;

	private LoadRules() {
	}

	static List<String> little(Evidence evidence) {
		Double mean = evidence.stage().total().latency().response().summary().meanMs();
		// What tells no types apart is wrk, whose latencies have samples that it added
		if (!evidence.isClosed() || mean == null || !evidence.tellsTypes()) {
			return List.of();
		}
		Workload workload = evidence.scenario().workload();
		double users = evidence.stage().throughput() * (mean + workload.thinkTime().toMillis()) / 1000;
		// The answers in flight at the end are outside the window, which shows in a
		// short one
		double tolerance = LITTLE_TOLERANCE + mean / 1000 / evidence.stage().seconds();
		return (Math.abs(users / workload.connections() - 1) <= tolerance) ? List.of()
				: List.of(format("throughput x latency is %.1f, but there were %d connections (Little's law)", users,
						workload.connections()));
	}

	static List<String> mix(Evidence evidence) {
		if (!evidence.tellsTypes()) {
			return List.of();
		}
		List<String> objections = new ArrayList<>();
		long intended = evidence.stage().total().counts().intended();
		List<RequestType> mix = evidence.scenario().workload().mix();
		double weights = mix.stream().mapToDouble(RequestType::weight).sum();
		for (RequestType type : mix) {
			double share = type.weight() / weights;
			double sigma = Math.sqrt(share * (1 - share) * intended);
			long observed = evidence.stage()
				.types()
				.stream()
				.filter((result) -> result.type().equals(type.name()))
				.mapToLong((result) -> result.counts().intended())
				.sum();
			if (Math.abs(observed - share * intended) > SIGMAS * sigma + 1) {
				objections.add(format("%s is %.1f %% of the requests instead of %.1f %%", type.name(),
						100.0 * observed / intended, 100 * share));
			}
		}
		return objections;
	}

	static List<String> schedule(Evidence evidence) {
		if (evidence.isClosed()) {
			return List.of();
		}
		double planned = evidence.planned().plannedRequests();
		long intended = evidence.stage().total().counts().intended();
		double chance = (evidence.planned().arrivals() == Arrivals.POISSON) ? SIGMAS * Math.sqrt(planned) : 1;
		return (Math.abs(intended - planned) <= SCHEDULE_TOLERANCE * planned + chance) ? List.of()
				: List.of(format("%d requests were offered instead of %.0f", intended, planned));
	}

	static List<String> bound(Evidence evidence) {
		if (!evidence.isClosed()) {
			return List.of();
		}
		if (evidence.backendMeanMs() == null) {
			return List.of("the backends did not tell their latency, so the bound is unknown");
		}
		Bound bound = evidence.bound();
		return (bound == null || bound.reached() <= MAX_REACHED) ? List.of()
				: List
					.of(format("%.1f %% of the bound was reached, which is impossible: the backends' figures are wrong",
							bound.reached() * 100));
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
