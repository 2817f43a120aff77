package io.gatewaybench.benchmark.selftest;

import java.time.Duration;

import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A closed loop obeys Little's law, users = throughput × latency, and a latency that is
 * 50 ms longer is measured as that. The latency itself has no limit here: the requests of
 * users that begin together wait for each other, and how long depends on the host.
 */
final class LittleCheck implements Check {

	private static final double DELAY_MILLIS = 50;

	private static final int FEW = 16;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		Outcome.Findings findings = new Outcome.Findings();
		try (Simulator stub = environment.fixed(DELAY_MILLIS, "");
				Simulator slower = environment.fixed(2 * DELAY_MILLIS, "")) {
			double mean = mean(environment, stub, FEW, findings);
			double slowerMean = mean(environment, slower, FEW, findings);
			mean(environment, stub, 100, findings);
			findings.that(mean >= DELAY_MILLIS, "mean %.2f ms, at least %.0f", mean, DELAY_MILLIS);
			findings.near("added", slowerMean - mean, DELAY_MILLIS, 0.02 * DELAY_MILLIS, " ms");
		}
		return findings.outcome();
	}

	/**
	 * Measures the mean latency, and compares the throughput with what follows from it.
	 */
	private static double mean(CheckEnvironment environment, Simulator stub, int users, Outcome.Findings findings)
			throws InterruptedException {
		StageResult stage = MoreChecksTests.load(environment, CheckEnvironment.address(stub), Model.CLOSED, users,
				Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(2)),
				Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(4)));
		double mean = stage.total().latency().service().histogram().getMean() / 1e6;
		// The first answers come after a latency, so that much of the window is empty
		double window = 1 - mean / 1000 / stage.seconds();
		double bound = users / mean * 1000 * window;
		findings.near(users + " users", stage.throughput(), bound, 0.02 * bound, "/s");
		return mean;
	}

}
