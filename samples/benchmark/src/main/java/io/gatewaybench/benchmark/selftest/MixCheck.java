package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;

/**
 * The mix is the planned one although its types differ in speed, and every body is whole.
 */
final class MixCheck implements Check {

	private static final int RATE = 500;

	// One in 16,000 samples is further away
	private static final double SIGMAS = 4;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		List<RequestType> mix = List.of(CheckEnvironment.get("heavy", 40, "/api/heavy", 40_000),
				CheckEnvironment.get("data", 35, "/api/data", 4_000),
				new RequestType("process", 25, "POST", List.of("/api/process"),
						Map.of("Content-Type", "application/json"), "{\"id\":42}", new Expectation(200, 20, null)));
		try (Simulator stub = environment.stub("");
				LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, 256, mix,
						Duration.ofSeconds(10))) {
			StageResult stage = CheckEnvironment.send(session,
					new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(8), RATE, Arrivals.POISSON));
			Outcome.Findings findings = new Outcome.Findings();
			Counts counts = stage.total().counts();
			for (RequestType type : mix) {
				double share = type.weight() / 100;
				long count = stage.types()
					.stream()
					.filter((result) -> result.type().equals(type.name()))
					.map(TypeResult::counts)
					.mapToLong(Counts::intended)
					.sum();
				findings.near(type.name(), 100.0 * count / counts.intended(), type.weight(),
						100 * SIGMAS * Math.sqrt(share * (1 - share) / counts.intended()), " %");
			}
			return findings.that(counts.ok() == counts.intended(), "%d of %d whole", counts.ok(), counts.intended())
				.outcome();
		}
	}

}
