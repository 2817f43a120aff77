package io.gatewaybench.benchmark.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.topology.Simulator;

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

	private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");

	private static final Pattern FAILURES = Pattern.compile("Socket errors|Non-2xx");

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		double[] ratios = new double[TURNS];
		List<String> figures = new ArrayList<>();
		try (Simulator stub = environment.fixed(DELAY_MILLIS, "");
				LoadSession own = environment.open(CheckEnvironment.address(stub), Model.CLOSED, CONNECTIONS)) {
			wrk(stub);
			own.run(Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(3))).whole();
			double before = throughput(own, 0);
			for (int turn = 0; turn < TURNS; turn++) {
				double between = wrk(stub);
				double after = throughput(own, turn + 1);
				double around = Math.sqrt(before * after);
				ratios[turn] = around / between;
				figures.add("%.0f/%.0f".formatted(around, between));
				before = after;
			}
		}
		catch (IOException ex) {
			return new Outcome(Outcome.Status.SKIP, "wrk is not installed");
		}
		double logarithm = Arrays.stream(ratios).map(Math::log).average().orElseThrow();
		return new Outcome.Findings().near("ratio", Math.exp(logarithm), 1, 0.05, "")
			.that(true, "req/s %s", String.join(" ", figures))
			.outcome();
	}

	private static double throughput(LoadSession session, int turn) throws InterruptedException {
		return session.run(Stage.closed("turn " + turn, Stage.Kind.MEASURE, TURN)).whole().throughput();
	}

	private static double wrk(Simulator stub) throws IOException {
		Process process = new ProcessBuilder("wrk", "-t1", "-c" + CONNECTIONS, "-d" + TURN.toSeconds() + "s",
				CheckEnvironment.address(stub) + "/api/hello")
			.redirectErrorStream(true)
			.start();
		try {
			return throughput(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * Reads what wrk prints.
	 * @throws BenchFailure if a request failed, or all of them
	 */
	static double throughput(String output) {
		Matcher rate = RATE.matcher(output);
		if (!rate.find() || FAILURES.matcher(output).find()) {
			throw new BenchFailure("wrk could not send as it should: " + output);
		}
		return Double.parseDouble(rate.group(1));
	}

}
