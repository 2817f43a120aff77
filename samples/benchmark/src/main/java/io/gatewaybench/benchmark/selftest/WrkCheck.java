package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.WrkLoadEngine;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.statistics.Interval;

/**
 * The closed loop is as fast as that of wrk on the same backend, which takes a time that
 * lets them do several times the rate of any suite without filling a core: what fills a
 * core is as fast as that is at the moment, and on a shared machine that changes by a
 * third within seconds. They take short turns, and each one of wrk is compared with those
 * before and after it.
 */
final class WrkCheck implements Check {

	private static final int CONNECTIONS = 64;

	private static final double DELAY_MILLIS = 2;

	private static final int TURNS = 6;

	private static final Duration TURN = Duration.ofSeconds(1);

	private static final Duration TURN_WITH_START = TURN.plusMillis(500);

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	@Override
	public String title() {
		return "closed-loop throughput is that of wrk";
	}

	@Override
	public Outcome run(Lab lab) throws InterruptedException {
		if (!WrkLoadEngine.isInstalled()) {
			return Outcome.skipped("wrk is not installed");
		}
		List<Stage> stages = new ArrayList<>();
		stages.add(Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(3)));
		stages.add(Stage.closed("own 0", Stage.Kind.MEASURE, TURN));
		for (int turn = 1; turn <= TURNS; turn++) {
			stages.add(Stage.idle("wrk " + turn, TURN_WITH_START));
			stages.add(Stage.closed("own " + turn, Stage.Kind.MEASURE, TURN));
		}
		Lab other = lab.with(new WrkLoadEngine(List.of(), lab.directory().resolve("wrk")));
		List<Turn> wrk = new ArrayList<>();
		try (Simulator stub = lab.fixed(DELAY_MILLIS, "")) {
			LoadResult own = lab.load(Lab.address(stub), Model.CLOSED, CONNECTIONS, List.of(Lab.hello()), TIMEOUT,
					stages, (event) -> {
						if (event instanceof ProgressEvent.StageStart started && started.kind() == Stage.Kind.IDLE) {
							wrk.add(turn(other, stub));
						}
					});
			return outcome(own, wrk);
		}
	}

	private static Turn turn(Lab lab, Simulator stub) {
		long start = System.nanoTime();
		try {
			StageResult stage = lab
				.load(stub, Model.CLOSED, CONNECTIONS, Stage.closed("measure", Stage.Kind.MEASURE, TURN))
				.stage("measure");
			return new Turn(stage.throughput(), (System.nanoTime() - start) / 1e9);
		}
		catch (InterruptedException ex) {
			// Told on, as a listener cannot throw it
			Thread.currentThread().interrupt();
			return new Turn(Double.NaN, Double.NaN);
		}
	}

	private static Outcome outcome(LoadResult own, List<Turn> wrk) {
		double[] ratios = new double[TURNS];
		List<String> figures = new ArrayList<>();
		double before = own.stage("own 0").throughput();
		for (int turn = 0; turn < TURNS; turn++) {
			double after = own.stage("own " + (turn + 1)).throughput();
			double around = Math.sqrt(before * after);
			ratios[turn] = around / wrk.get(turn).throughput();
			figures.add("%.0f/%.0f".formatted(around, wrk.get(turn).throughput()));
			before = after;
		}
		return new Outcome.Findings().near("ratio", Interval.ofGeometricMean(ratios).estimate(), 1, 0.05, "")
			.atMost("longest turn of wrk", wrk.stream().mapToDouble(Turn::seconds).max().orElse(Double.NaN),
					TURN_WITH_START.toMillis() / 1e3, " s")
			.that(true, "req/s %s", String.join(" ", figures))
			.outcome();
	}

	/**
	 * A turn of wrk, during which the other one rests.
	 *
	 * @param throughput requests per second
	 * @param seconds how long it took, its start included
	 */
	private record Turn(double throughput, double seconds) {
	}

}
