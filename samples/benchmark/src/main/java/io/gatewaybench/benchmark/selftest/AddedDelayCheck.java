package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * Two backends of which one takes 5 ms longer: the comparison must find 5 ms.
 */
final class AddedDelayCheck implements Check {

	private static final int RATE = 500;

	private static final double ADDED = 5;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		int blocks = 3;
		double[] differences = new double[blocks];
		Random random = new Random(42);
		try (Simulator base = environment.fixed(5, ""); Simulator slower = environment.fixed(5 + ADDED, "")) {
			for (int block = 0; block < blocks; block++) {
				List<Simulator> order = new ArrayList<>(List.of(base, slower));
				Collections.shuffle(order, random);
				double first = median(environment, order.getFirst());
				double second = median(environment, order.getLast());
				boolean baseFirst = order.getFirst() == base;
				differences[block] = baseFirst ? second - first : first - second;
			}
		}
		Interval difference = Interval.ofMean(differences);
		return new Outcome.Findings().near("difference", difference.estimate(), ADDED, 0.2, " ms")
			.that(difference.samples() == blocks, "95 %% interval from %.3f to %.3f ms",
					Objects.requireNonNullElse(difference.low(), Double.NaN),
					Objects.requireNonNullElse(difference.high(), Double.NaN))
			.outcome();
	}

	private static double median(CheckEnvironment environment, Simulator stub) throws InterruptedException {
		StageResult result = environment.load(CheckEnvironment.address(stub), Model.OPEN, 64,
				new Stage("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(1), RATE, Arrivals.CONSTANT),
				new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(1), RATE, Arrivals.CONSTANT));
		return CheckEnvironment.medianMillis(result.total().latency().service());
	}

}
