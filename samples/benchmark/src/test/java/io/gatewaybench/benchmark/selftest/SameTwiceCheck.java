package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.Random;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.statistics.Interval;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * A/A: the same backend under two names. Of 95 % intervals, 19 in 20 contain the truth,
 * which is 1. Because 9 % of all tens have less than 9 that do, a ten that fails gets
 * another chance, with 17 of 20.
 */
final class SameTwiceCheck implements Check {

	private static final int RATE = 500;

	private static final int REPETITIONS = 10;

	private static final int BLOCKS = 4;

	private static final Duration SLICE = Duration.ofMillis(200);

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		try (Simulator stub = environment.fixed(5, "")) {
			int hits = hits(environment, stub, 1);
			boolean again = hits < 9;
			int least = again ? 17 : 9;
			hits += again ? hits(environment, stub, 2) : 0;
			return new Outcome.Findings()
				.that(hits >= least, "in %d of %d repetitions (at least %d)", hits,
						again ? 2 * REPETITIONS : REPETITIONS, least)
				.outcome();
		}
	}

	private static int hits(CheckEnvironment environment, Simulator stub, long seed) throws InterruptedException {
		Random random = new Random(seed);
		int hits = 0;
		try (LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, 16)) {
			session.run(new Stage("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(2), RATE, Arrivals.CONSTANT))
				.whole();
			for (int repetition = 0; repetition < REPETITIONS; repetition++) {
				double[] ratios = new double[BLOCKS];
				for (int block = 0; block < BLOCKS; block++) {
					boolean swap = random.nextBoolean();
					double first = mean(session);
					double second = mean(session);
					ratios[block] = swap ? second / first : first / second;
				}
				hits += Interval.ofGeometricMean(ratios).contains(1) ? 1 : 0;
			}
		}
		return hits;
	}

	private static double mean(LoadSession session) throws InterruptedException {
		return session.run(new Stage("slice", Stage.Kind.MEASURE, SLICE, RATE, Arrivals.CONSTANT))
			.whole()
			.total()
			.latency()
			.service()
			.histogram()
			.getMean();
	}

}
