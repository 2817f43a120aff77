package io.gatewaybench.benchmark.selftest;

import java.time.Duration;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;

/**
 * The generator sends what is planned, when it is planned, and has enough to spare.
 */
final class ScheduleCheck implements Check {

	/**
	 * The highest rate of any suite.
	 */
	static final int HIGHEST_RATE = 5_000;

	private static final Duration LENGTH = Duration.ofSeconds(4);

	private static final double MAX_CPU_MICROS = 30;

	private static final double MAX_LAG_MS = 1;

	private static final double MAX_CORE = 0.7;

	@Override
	public String title() {
		return "requests leave as planned, at little cost";
	}

	@Override
	public Outcome run(Lab lab) throws InterruptedException {
		try (Simulator stub = lab.stub("", "--zero-delay")) {
			LoadResult result = lab.load(stub, Model.OPEN, 64,
					stage("warm-up", Stage.Kind.WARMUP, 3 * HIGHEST_RATE, Arrivals.POISSON, Duration.ofSeconds(9)),
					// The compilers are not done when the load is over
					Stage.idle("rest", Duration.ofSeconds(3)),
					stage("run-up", Stage.Kind.WARMUP, HIGHEST_RATE, Arrivals.CONSTANT, Duration.ofSeconds(2)),
					stage("constant", Stage.Kind.MEASURE, HIGHEST_RATE, Arrivals.CONSTANT, LENGTH),
					stage("poisson", Stage.Kind.MEASURE, HIGHEST_RATE, Arrivals.POISSON, LENGTH),
					stage("threefold", Stage.Kind.MEASURE, 3 * HIGHEST_RATE, Arrivals.CONSTANT, LENGTH));
			Outcome.Findings findings = new Outcome.Findings();
			rate(findings, result.stage("constant"), HIGHEST_RATE, 0.005);
			double requests = HIGHEST_RATE * result.stage("poisson").seconds();
			rate(findings, result.stage("poisson"), HIGHEST_RATE, Math.max(0.005, 4 / Math.sqrt(requests)));
			findings.atMost("CPU per request", micros(result.stage("constant")), MAX_CPU_MICROS, " µs");
			StageResult threefold = result.stage("threefold");
			return findings
				.atMost("at " + 3 * HIGHEST_RATE + "/s", threefold.generator().cpuSeconds() / threefold.seconds(),
						MAX_CORE, " of a core")
				.outcome();
		}
	}

	private static Stage stage(String name, Stage.Kind kind, double rate, Arrivals arrivals, Duration duration) {
		return new Stage(name, kind, duration, rate, arrivals);
	}

	private static void rate(Outcome.Findings findings, StageResult stage, double rate, double tolerance) {
		double offered = stage.total().counts().intended() / stage.seconds();
		Double lag = stage.generator().lag().summary().p99Ms();
		findings.near(stage.stage(), offered, rate, rate * tolerance, "/s")
			.atMost("late at P99", (lag != null) ? lag : Double.NaN, MAX_LAG_MS, " ms");
	}

	private static double micros(StageResult stage) {
		return stage.generator().cpuSeconds() * 1e6 / stage.total().counts().ok();
	}

}
