package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;

/**
 * Finds out what generator and backends can do together without a gateway and without the
 * backends' latency, because nothing near that is the gateway's figure.
 */
final class Capacity {

	private static final Duration WARMUP = Duration.ofSeconds(2);

	private static final Duration MEASURE = Duration.ofSeconds(2);

	/**
	 * On one core, generator and backends are still being compiled in the first ones.
	 */
	private static final int MEASUREMENTS = 3;

	/**
	 * How many loads it sends, the warm-up included.
	 */
	static final int LOADS = 1 + MEASUREMENTS;

	/**
	 * How long it takes, the generator's start included.
	 */
	static final Duration DURATION = WARMUP.plus(MEASURE.multipliedBy(MEASUREMENTS)).plusSeconds(2);

	private static final int CONNECTIONS = 32;

	private static final String NAME = "capacity";

	private final URI address;

	private final LoadEngine engine;

	/**
	 * Prepares the measurement.
	 * @param address where an instance of a simulator is
	 * @param engine what sends the requests
	 */
	Capacity(URI address, LoadEngine engine) {
		this.address = address;
		this.engine = engine;
	}

	/**
	 * Measures the requests of a mix, several times.
	 * @param mix the requests as a backend gets them
	 * @param timeouts how long to wait
	 * @param seed the seed of the mix
	 * @return requests per second, the most there were
	 */
	double measure(List<RequestType> mix, Timeouts timeouts, long seed) throws InterruptedException {
		Workload workload = new Workload(Model.CLOSED, mix.stream().map(Capacity::withoutDelay).toList(), CONNECTIONS,
				Duration.ZERO);
		LoadPlan plan = new LoadPlan(NAME, this.address, workload, timeouts, seed);
		double most = 0;
		try (LoadSession session = this.engine.open(plan)) {
			send(session, "warm-up", Stage.Kind.WARMUP, WARMUP);
			for (int i = 1; i <= MEASUREMENTS; i++) {
				most = Math.max(most, throughput(send(session, NAME + "-" + i, Stage.Kind.MEASURE, MEASURE)));
			}
		}
		return most;
	}

	private static StageResult send(LoadSession session, String name, Stage.Kind kind, Duration length)
			throws InterruptedException {
		return session.run(Stage.closed(name, kind, length), (second) -> {
		}).whole();
	}

	private double throughput(StageResult stage) {
		if (stage.total().counts().failed() > 0) {
			throw new BenchFailure("The backend " + this.address + " does not answer as it must: "
					+ String.join("; ", stage.total().failures()) + "; see logs/ among the results");
		}
		return stage.throughput();
	}

	// In front, as the first one counts
	private static String withoutDelay(String path) {
		int query = path.indexOf('?');
		return (query < 0) ? path + "?delay=0" : path.substring(0, query) + "?delay=0&" + path.substring(query + 1);
	}

	private static RequestType withoutDelay(RequestType type) {
		return new RequestType(type.name(), type.weight(), type.method(),
				type.paths().stream().map(Capacity::withoutDelay).toList(), type.headers(), type.body(), type.expect());
	}

}
