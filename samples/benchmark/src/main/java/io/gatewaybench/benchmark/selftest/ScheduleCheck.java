package io.gatewaybench.benchmark.selftest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * The generator sends what is planned, when it is planned, and has enough to spare. One
 * of several turns may be late: a single standstill of a shared machine, of 40 ms in 4 s,
 * is more than one request in a hundred, but a generator that pauses does so again.
 */
final class ScheduleCheck implements Check {

	/**
	 * The highest rate of any suite.
	 */
	static final int HIGHEST_RATE = 5_000;

	private static final List<Arrivals> SCHEDULES = List.of(Arrivals.CONSTANT, Arrivals.POISSON);

	private static final int TURNS = 5;

	private static final Duration TURN = Duration.ofSeconds(1);

	private static final Duration LENGTH = Duration.ofSeconds(4);

	// Beside the simulator, which reads and writes as often, on the same machine
	private static final double MAX_CPU = 3;

	private static final double MAX_LAG_MS = 1;

	// More requests leave together at a higher rate
	private static final double MAX_CPU_THREEFOLD = 1.1;

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		try (Simulator stub = environment.stub("", "--zero-delay");
				LoadSession session = environment.open(CheckEnvironment.address(stub), Model.OPEN, 64)) {
			send(session, Stage.Kind.WARMUP, 3 * HIGHEST_RATE, Arrivals.CONSTANT, Duration.ofSeconds(9));
			// The compilers are not done when the load is over
			Thread.sleep(Duration.ofSeconds(3));
			send(session, Stage.Kind.WARMUP, HIGHEST_RATE, Arrivals.CONSTANT, Duration.ofSeconds(2));
			Duration before = stub.child().cpuTime();
			StageResult steady = send(session, Stage.Kind.MEASURE, HIGHEST_RATE, Arrivals.CONSTANT, LENGTH);
			Duration simulator = stub.child().cpuTime().minus(before);
			Map<Arrivals, List<StageResult>> turns = new EnumMap<>(Arrivals.class);
			for (int turn = 0; turn < TURNS; turn++) {
				for (Arrivals arrivals : SCHEDULES) {
					turns.computeIfAbsent(arrivals, (key) -> new ArrayList<>())
						.add(send(session, Stage.Kind.MEASURE, HIGHEST_RATE, arrivals, TURN));
				}
			}
			StageResult threefold = send(session, Stage.Kind.MEASURE, 3 * HIGHEST_RATE, Arrivals.CONSTANT, LENGTH);
			Outcome.Findings findings = new Outcome.Findings();
			turns.forEach((arrivals, results) -> judge(findings, arrivals, results));
			double perRequest = cpuMicros(steady);
			double ofSimulator = simulator.toNanos() / 1e3 / steady.total().counts().ok();
			return findings
				.atMost(String.format(Locale.ROOT, "CPU per request %.1f µs,", perRequest), perRequest / ofSimulator,
						MAX_CPU, " times that of the simulator")
				.atMost("at " + 3 * HIGHEST_RATE + "/s", cpuMicros(threefold) / perRequest, MAX_CPU_THREEFOLD,
						" times as much")
				.outcome();
		}
	}

	private static StageResult send(LoadSession session, Stage.Kind kind, double rate, Arrivals arrivals,
			Duration duration) throws InterruptedException {
		return session.run(new Stage("load", kind, duration, rate, arrivals)).whole();
	}

	private static double cpuMicros(StageResult stage) {
		return stage.generator().cpuSeconds() * 1e6 / stage.total().counts().ok();
	}

	private static void judge(Outcome.Findings findings, Arrivals arrivals, List<StageResult> turns) {
		long intended = turns.stream().mapToLong((turn) -> turn.total().counts().intended()).sum();
		double seconds = turns.stream().mapToDouble(StageResult::seconds).sum();
		// Poisson's counts have a standard deviation, which is their root
		double tolerance = (arrivals == Arrivals.POISSON) ? 4 / Math.sqrt(HIGHEST_RATE * seconds) : 0.005;
		findings
			.near(arrivals.name().toLowerCase(Locale.ROOT), intended / seconds, HIGHEST_RATE, HIGHEST_RATE * tolerance,
					"/s")
			.atMost("late at P99", secondLargestLag(turns), MAX_LAG_MS, " ms");
	}

	private static double secondLargestLag(List<StageResult> turns) {
		return turns.stream()
			.map((turn) -> turn.generator().lag().summary().p99Ms())
			.mapToDouble((lag) -> Objects.requireNonNullElse(lag, Double.NaN))
			.sorted()
			.skip(TURNS - 2)
			.findFirst()
			.orElse(Double.NaN);
	}

}
