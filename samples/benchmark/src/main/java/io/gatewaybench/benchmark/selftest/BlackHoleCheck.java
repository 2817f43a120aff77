package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A backend that never answers one request in 50.
 */
final class BlackHoleCheck implements Check {

	private static final int RATE = 500;

	private static final int EVERY = 50;

	private static final int TIMEOUT_MILLIS = 1_000;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		try (Simulator stub = environment.fixed(5, ", fault: {every: " + EVERY + ", answer: never}");
				Simulator healthy = environment.fixed(5, "")) {
			TypeResult control = total(environment, healthy);
			TypeResult total = total(environment, stub);
			Counts counts = total.counts();
			LatencyViews latency = total.latency();
			return new Outcome.Findings()
				.that(counts.timeout() == counts.intended() / EVERY && counts.failed() == counts.timeout(),
						"%d of %d lost (%d)", counts.failed(), counts.intended(), counts.intended() / EVERY)
				.that(latency.slo().histogram().getValueAtPercentile(99) >= TIMEOUT_MILLIS * 999_000L,
						"P99 of the SLO view %.0f ms (the limit, %d ms)",
						latency.slo().histogram().getValueAtPercentile(99) / 1e6, TIMEOUT_MILLIS)
				.near("P50", CheckEnvironment.medianMillis(total.latency().slo()),
						CheckEnvironment.medianMillis(control.latency().slo()), 0.5, " ms")
				.that(latency.service().histogram().getMaxValue() < TIMEOUT_MILLIS * 1_000_000L,
						"none of them in the service time")
				.outcome();
		}
	}

	private static TypeResult total(CheckEnvironment environment, Simulator stub) throws InterruptedException {
		Stage measure = new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3), RATE, Arrivals.CONSTANT);
		try (LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, 64,
				List.of(CheckEnvironment.hello()), Duration.ofMillis(TIMEOUT_MILLIS))) {
			return CheckEnvironment.send(session, measure).total();
		}
	}

}
