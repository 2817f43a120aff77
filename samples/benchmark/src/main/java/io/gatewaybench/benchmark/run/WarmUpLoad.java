package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * What a gateway is warmed up with.
 */
final class WarmUpLoad {

	private WarmUpLoad() {
	}

	/**
	 * The load of a session with the most requests per second, which warms up fastest. Of
	 * variants that share a process it has the requests of all. So each is warm before
	 * the first one is measured.
	 * @param session the session
	 * @return the load
	 */
	static Load of(RunPlan.Session session) {
		// In one order, so that a generator that stays is found again
		List<Variant> variants = session.scenarios()
			.stream()
			.map(Scenario::variant)
			.distinct()
			.sorted(Comparator.comparing(Variant::id))
			.toList();
		List<RequestType> mix = new ArrayList<>();
		for (Variant variant : variants) {
			heaviest(session.scenarios().stream().filter((scenario) -> scenario.variant().equals(variant)).toList())
				.workload()
				.mix()
				.forEach((type) -> mix
					.add((variants.size() == 1) ? type : type.named(variant.id() + "-" + type.name())));
		}
		return heaviest(session.scenarios()).load().sending(mix);
	}

	/**
	 * What the generator of a session has to be able to send: the requests of the warm-up
	 * on as many connections as any of its loads has. Those with the most users may wait
	 * the longest, and so not have the most requests per second.
	 * @param session the session
	 * @return the workload
	 */
	static Workload workload(RunPlan.Session session) {
		Workload warmUp = of(session).workload();
		int connections = session.scenarios()
			.stream()
			.mapToInt((scenario) -> scenario.workload().connections())
			.max()
			.orElseThrow();
		return new Workload(warmUp.model(), warmUp.mix(), connections, warmUp.thinkTime());
	}

	/**
	 * The scenario with the most requests per second.
	 */
	static Scenario heaviest(List<Scenario> scenarios) {
		return Collections.max(scenarios, Comparator.comparingDouble(WarmUpLoad::mostPerSecond));
	}

	// Where responses tell how long the backend took, all loads of a suite have the same
	// requests, and the most users send the most
	private static double mostPerSecond(Scenario scenario) {
		double backendMillis = scenario.workload()
			.mix()
			.stream()
			.map(RequestType::backend)
			.filter(Objects::nonNull)
			.mapToLong(Duration::toMillis)
			.average()
			.orElse(1);
		double rate = scenario.load().rate();
		return (rate > 0) ? rate : scenario.workload().connections() * 1000
				/ (backendMillis + scenario.workload().thinkTime().toMillis());
	}

}
