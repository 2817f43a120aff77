package io.gatewaybench.benchmark.selftest;

import java.time.Duration;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A backend that fails every so many requests, beside one that does not.
 */
final class FailureChecks {

	private static final int RATE = 500;

	private static final double BACKEND_MILLIS = 5;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private FailureChecks() {
	}

	/**
	 * A request that is never answered is lost, and as slow as the timeout.
	 */
	static Outcome blackHole(CheckEnvironment environment) throws InterruptedException {
		LatencyViews healthy = load(environment, "").total().latency();
		StageResult stage = load(environment, ", fault: {every: 50, answer: never}");
		Counts counts = stage.total().counts();
		LatencyViews latency = stage.total().latency();
		double p99 = latency.slo().histogram().getValueAtPercentile(99) / 1e6;
		return new Outcome.Findings()
			.that(counts.timeout() == counts.intended() / 50 && counts.failed() == counts.timeout(),
					"%d of %d lost (%d)", counts.failed(), counts.intended(), counts.intended() / 50)
			.that(p99 >= 0.999 * TIMEOUT.toMillis(), "P99 of the SLO view %.0f ms (the limit, %d ms)", p99,
					TIMEOUT.toMillis())
			.near("P50", CheckEnvironment.medianMillis(latency.slo()), CheckEnvironment.medianMillis(healthy.slo()),
					0.5, " ms")
			.that(latency.service().histogram().getMaxValue() < TIMEOUT.toNanos(), "none of them in the service time")
			.outcome();
	}

	/**
	 * Requests that are refused at once make the average of all answers faster. If one of
	 * them counted as a latency, the fastest would be below the time of the backend.
	 */
	static Outcome fastFailure(CheckEnvironment environment) throws InterruptedException {
		StageResult stage = load(environment, ", fault: {every: 10, answer: 503}");
		Counts counts = stage.total().counts();
		double fastest = stage.total().latency().service().histogram().getMinValue() / 1e6;
		double goodput = 0.9 * RATE;
		return new Outcome.Findings()
			.that(counts.httpError() == counts.intended() / 10 && counts.failed() == counts.httpError(),
					"%d of %d failed (%d)", counts.failed(), counts.intended(), counts.intended() / 10)
			.that(fastest >= BACKEND_MILLIS - 0.01, "fastest success %.2f ms (%.0f ms)", fastest, BACKEND_MILLIS)
			.near("goodput", stage.throughput(), goodput, 0.01 * goodput, "/s")
			.outcome();
	}

	private static StageResult load(CheckEnvironment environment, String fault) throws InterruptedException {
		try (Simulator stub = environment.fixed(BACKEND_MILLIS, fault);
				LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, 64, TIMEOUT)) {
			return session.run(new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3), RATE, Arrivals.CONSTANT))
				.whole();
		}
	}

}
