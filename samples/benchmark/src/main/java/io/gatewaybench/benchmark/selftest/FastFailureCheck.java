package io.gatewaybench.benchmark.selftest;

import java.time.Duration;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A backend that refuses every tenth request at once, which makes the average of all
 * answers faster.
 */
final class FastFailureCheck implements Check {

	private static final int RATE = 500;

	private static final int EVERY = 10;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		try (Simulator stub = environment.fixed(5, ", fault: {every: " + EVERY + ", answer: 503}");
				Simulator healthy = environment.fixed(5, "")) {
			Stage measure = new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3), RATE, Arrivals.CONSTANT);
			StageResult control = environment.load(CheckEnvironment.address(healthy), Model.OPEN, 64, measure);
			StageResult stage = environment.load(CheckEnvironment.address(stub), Model.OPEN, 64, measure);
			Counts counts = stage.total().counts();
			double goodput = RATE * (1 - 1.0 / EVERY);
			return new Outcome.Findings()
				.that(counts.httpError() == counts.intended() / EVERY && counts.failed() == counts.httpError(),
						"%d of %d failed (%d)", counts.failed(), counts.intended(), counts.intended() / EVERY)
				.that(stage.total().latency().service().histogram().getMinValue() >= 5_000_000L - 10_000,
						"fastest success %.2f ms (5 ms)",
						stage.total().latency().service().histogram().getMinValue() / 1e6)
				.near("P50", CheckEnvironment.medianMillis(stage.total().latency().service()),
						CheckEnvironment.medianMillis(control.total().latency().service()), 0.5, " ms")
				.near("goodput", stage.throughput(), goodput, goodput * 0.01, "/s")
				.outcome();
		}
	}

}
