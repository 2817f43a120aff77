package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Simulator;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is frozen for 2 of 10 s. Of the arrivals 20 % wait 0 to 2 s, equally
 * distributed, so 10 % wait longer than 1.0 s and 1 % longer than 1.9 s. A tool that
 * sends nothing while it waits (coordinated omission) sees next to nothing of it.
 */
final class StallCheck implements Check {

	private static final int RATE = 500;

	// Few, so that hardly any request is under way when the backend freezes
	private static final int CONNECTIONS = 8;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		StageResult result;
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		try (Simulator stub = environment.stub("", "--zero-delay");
				LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, CONNECTIONS)) {
			session.run(new Stage("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(2), RATE, Arrivals.CONSTANT))
				.whole();
			timer.schedule(stub.child()::freeze, 4, TimeUnit.SECONDS);
			timer.schedule(stub.child()::resume, 6, TimeUnit.SECONDS);
			result = session
				.run(new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(10), RATE, Arrivals.CONSTANT))
				.whole();
		}
		finally {
			timer.shutdownNow();
		}
		LatencySummary response = result.total().latency().response().summary();
		LatencySummary service = result.total().latency().service().summary();
		return new Outcome.Findings().near("P90", seconds(response.p90Ms()), 1.0, 0.1, " s")
			.near("P99", seconds(response.p99Ms()), 1.9, 0.19, " s")
			.that(seconds(service.p99Ms()) < 0.1, "which service time alone hides: its P99 is %.1f ms",
					seconds(service.p99Ms()) * 1000)
			.that(result.total().counts().failed() == 0, "%d failed", result.total().counts().failed())
			.outcome();
	}

	private static double seconds(@Nullable Double millis) {
		return (millis != null) ? millis / 1000 : Double.NaN;
	}

}
