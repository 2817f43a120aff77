package io.gatewaybench.benchmark.selftest;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A gateway that adds 5 ms, in front of a backend that takes 3 ms longer than the one
 * without them: the overhead of a request must be 5 ms more, and not 8.
 */
final class OverheadCheck implements Check {

	private static final int BLOCKS = 3;

	private static final int RATE = 500;

	private static final double BACKEND = 5;

	private static final double SLOWER = 3;

	private static final int ADDED = 5;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		double[] overhead = new double[BLOCKS];
		double[] service = new double[BLOCKS];
		try (Simulator fast = environment.fixed(BACKEND, "");
				Simulator slow = environment.fixed(BACKEND + SLOWER, "");
				DelayingProxy none = new DelayingProxy(CheckEnvironment.address(fast), Duration.ZERO);
				DelayingProxy adding = new DelayingProxy(CheckEnvironment.address(slow), Duration.ofMillis(ADDED))) {
			for (int block = 0; block < BLOCKS; block++) {
				LatencyViews without = latency(environment, none.address());
				LatencyViews with = latency(environment, adding.address());
				overhead[block] = CheckEnvironment.medianMillis(with.overhead())
						- CheckEnvironment.medianMillis(without.overhead());
				service[block] = CheckEnvironment.medianMillis(with.service())
						- CheckEnvironment.medianMillis(without.service());
			}
		}
		return new Outcome.Findings()
			.near("overhead", Arrays.stream(overhead).average().orElseThrow(), ADDED, 0.2, " ms")
			.near("service time", Arrays.stream(service).average().orElseThrow(), ADDED + SLOWER, 0.4, " ms")
			.outcome();
	}

	private static LatencyViews latency(CheckEnvironment environment, URI target) throws InterruptedException {
		try (LoadSession session = environment.open(target, Model.OPEN, 64)) {
			session.run(new Stage("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(1), RATE, Arrivals.CONSTANT))
				.whole();
			return session.run(new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(1), RATE, Arrivals.CONSTANT))
				.whole()
				.total()
				.latency();
		}
	}

}
