package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Bound;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the figures of a measurement may be used.
 */
final class Judge {

	private static final double MAX_LOST = 0.001;

	// The bound is an estimate from the backends' clock; what exceeds it by more than
	// this was not delayed
	private static final double MAX_REACHED = 1.03;

	// Little's law holds for every closed loop; edges of the measurement account for this
	// much
	private static final double LITTLE_TOLERANCE = 0.05;

	// Of a normal distribution, 6 in 100,000 samples are further from the mean
	private static final double MIX_SIGMAS = 4;

	private Judge() {
	}

	static Verdict judge(Workload workload, StageResult stage, boolean complete, double plannedSeconds,
			boolean gatewayAlive, boolean backendsAlive, @Nullable Bound bound) {
		List<String> reasons = new ArrayList<>();
		TypeResult total = stage.total();
		Counts counts = total.counts();
		if (!complete) {
			return Verdict.of(List.of(format("cut short after %.1f of %.0f s", stage.seconds(), plannedSeconds)));
		}
		if (!gatewayAlive) {
			reasons.add("the gateway ended during the measurement");
		}
		if (!backendsAlive) {
			reasons.add("the backends ended during the measurement");
		}
		if (!stage.balanced()) {
			reasons.add(format("%d of %d requests are unaccounted for",
					Math.abs(counts.intended() - counts.ok() - counts.failed()), counts.intended()));
		}
		if (counts.ok() == 0) {
			reasons.add("no request got a good answer");
			return Verdict.of(reasons);
		}
		double lost = counts.failed() / (double) counts.intended();
		if (lost > MAX_LOST) {
			reasons.add(format("%.2f %% of the requests got no good answer, more than %.1f %%", lost * 100,
					MAX_LOST * 100));
		}
		else {
			checkLittle(workload, stage, total.latency().response().summary(), reasons);
			checkMix(workload, stage, counts.intended(), reasons);
		}
		if (bound == null) {
			reasons.add("the backends did not tell their latency, so the bound is unknown");
		}
		else if (bound.reached() > MAX_REACHED) {
			reasons.add(format("%.1f %% of the bound was reached, which is impossible: the backends' figures are wrong",
					bound.reached() * 100));
		}
		return Verdict.of(reasons);
	}

	private static void checkLittle(Workload workload, StageResult stage, LatencySummary response,
			List<String> reasons) {
		Double mean = response.meanMs();
		if (mean != null) {
			double users = stage.throughput() * (mean + workload.thinkTime().toMillis()) / 1000;
			// The answers in flight at the end are outside the window, which shows in a
			// short one
			double tolerance = LITTLE_TOLERANCE + mean / 1000 / stage.seconds();
			if (Math.abs(users / workload.connections() - 1) > tolerance) {
				reasons.add(format("throughput x latency is %.1f, but there were %d connections (Little's law)", users,
						workload.connections()));
			}
		}
	}

	private static void checkMix(Workload workload, StageResult stage, long intended, List<String> reasons) {
		double weights = workload.mix().stream().mapToDouble(RequestType::weight).sum();
		for (RequestType type : workload.mix()) {
			double share = type.weight() / weights;
			double sigma = Math.sqrt(share * (1 - share) * intended);
			long observed = stage.types()
				.stream()
				.filter((result) -> result.type().equals(type.name()))
				.mapToLong((result) -> result.counts().intended())
				.sum();
			if (Math.abs(observed - share * intended) > MIX_SIGMAS * sigma + 1) {
				reasons.add(format("%s is %.1f %% of the requests instead of %.1f %%", type.name(),
						100.0 * observed / intended, 100 * share));
			}
		}
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
