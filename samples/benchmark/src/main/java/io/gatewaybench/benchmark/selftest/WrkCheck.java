package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.WrkLoadEngine;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The closed loop is as fast as that of wrk on the same backend, which takes a time that
 * lets them do three times the rate of the default suite without filling a core, on slow
 * hosts, too: where a core is full, the engine that needs less of it is faster, which is
 * not the question here. They take short turns, and each one of wrk is compared with
 * those before and after it.
 */
final class WrkCheck implements Check {

	private static final int CONNECTIONS = 64;

	private static final double DELAY_MILLIS = 8;

	private static final int TURNS = 6;

	private static final Duration TURN = Duration.ofSeconds(1);

	@Override
	public String title() {
		return "closed-loop throughput is that of wrk";
	}

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		if (!WrkLoadEngine.isInstalled()) {
			return Outcome.skipped("wrk is not installed");
		}
		double[] ratios = new double[TURNS];
		List<String> figures = new ArrayList<>();
		try (Simulator stub = environment.fixed(DELAY_MILLIS, "");
				LoadSession own = environment.open(CheckEnvironment.address(stub), Model.CLOSED, CONNECTIONS);
				LoadSession wrk = environment.withWrk()
					.open(CheckEnvironment.address(stub), Model.CLOSED, CONNECTIONS)) {
			CheckEnvironment.send(own, Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(3)));
			double before = throughput(own, 0);
			for (int turn = 0; turn < TURNS; turn++) {
				double between = throughput(wrk, turn);
				double after = throughput(own, turn + 1);
				double around = Math.sqrt(before * after);
				ratios[turn] = around / between;
				figures.add("%.0f/%.0f".formatted(around, between));
				before = after;
			}
		}
		return new Outcome.Findings().near("ratio", Interval.ofGeometricMean(ratios).estimate(), 1, 0.05, "")
			.that(true, "req/s %s", String.join(" ", figures))
			.outcome();
	}

	private static double throughput(LoadSession session, int turn) throws InterruptedException {
		return CheckEnvironment.send(session, Stage.closed("turn " + turn, Stage.Kind.MEASURE, TURN)).throughput();
	}

}
