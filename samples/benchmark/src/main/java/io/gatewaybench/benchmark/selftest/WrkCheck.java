package io.gatewaybench.benchmark.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The closed loop is as fast as that of wrk, which is written in C and hard to beat, on
 * the same backend.
 */
final class WrkCheck implements Check {

	private static final int CONNECTIONS = 64;

	private static final int SECONDS = 3;

	private static final int BLOCKS = 3;

	private static final Pattern REQUESTS = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

	@Override
	public String title() {
		return "closed-loop throughput is that of wrk";
	}

	@Override
	public Outcome run(Lab lab) throws InterruptedException {
		double[] ratios = new double[BLOCKS];
		List<String> figures = new ArrayList<>();
		try (Simulator stub = lab.stub("", "--zero-delay")) {
			for (int block = 0; block < BLOCKS; block++) {
				Double wrk = wrk(stub);
				if (wrk == null) {
					return Outcome.skipped("wrk is not installed");
				}
				double own = lab
					.load(stub, Model.CLOSED, CONNECTIONS,
							Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(2)),
							Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(SECONDS)))
					.stage("measure")
					.throughput();
				ratios[block] = own / wrk;
				figures.add("%.0f/%.0f".formatted(own, wrk));
			}
		}
		return new Outcome.Findings().near("ratio", Interval.ofGeometricMean(ratios).estimate(), 1, 0.05, "")
			.that(true, "req/s %s", String.join(" ", figures))
			.outcome();
	}

	private static @Nullable Double wrk(Simulator stub) throws InterruptedException {
		try {
			Process process = new ProcessBuilder("wrk", "-t1", "-c" + CONNECTIONS, "-d" + SECONDS + "s",
					Lab.address(stub).resolve("/api/hello").toString())
				.redirectErrorStream(true)
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			process.waitFor();
			Matcher requests = REQUESTS.matcher(output);
			return requests.find() ? Double.valueOf(requests.group(1)) : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

}
