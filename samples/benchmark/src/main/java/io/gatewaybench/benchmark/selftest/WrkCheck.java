package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.WrkLoadEngine;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The closed loop is as fast as that of wrk, which is written in C and hard to beat, on
 * the same backend.
 */
final class WrkCheck implements Check {

	private static final int CONNECTIONS = 64;

	private static final int SECONDS = 3;

	private static final int BLOCKS = 3;

	@Override
	public String title() {
		return "closed-loop throughput is that of wrk";
	}

	@Override
	public Outcome run(Lab lab) throws InterruptedException {
		if (!WrkLoadEngine.isInstalled()) {
			return Outcome.skipped("wrk is not installed");
		}
		double[] ratios = new double[BLOCKS];
		List<String> figures = new ArrayList<>();
		try (Simulator stub = lab.stub("", "--zero-delay")) {
			for (int block = 0; block < BLOCKS; block++) {
				double wrk = throughput(lab.with(new WrkLoadEngine(List.of(), lab.directory().resolve("wrk"))), stub);
				double own = throughput(lab, stub);
				ratios[block] = own / wrk;
				figures.add("%.0f/%.0f".formatted(own, wrk));
			}
		}
		return new Outcome.Findings().near("ratio", Interval.ofGeometricMean(ratios).estimate(), 1, 0.05, "")
			.that(true, "req/s %s", String.join(" ", figures))
			.outcome();
	}

	private static double throughput(Lab lab, Simulator stub) throws InterruptedException {
		return lab
			.load(stub, Model.CLOSED, CONNECTIONS, Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(2)),
					Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(SECONDS)))
			.stage("measure")
			.throughput();
	}

}
