package io.gatewaybench.benchmark.faults;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * What is sent to a gateway.
 *
 * @param variant how the gateway is set up
 * @param address its address
 * @param settings rate and lengths
 */
record Loads(Variant variant, URI address, FaultResults.Settings settings) {

	static final String SERVICE = "service-a";

	static final String PATH = "/api/data";

	/**
	 * Load that is not looked at, so that the opening of thousands of connections is not
	 * either.
	 */
	private static final Duration RUN_UP = Duration.ofSeconds(5);

	/**
	 * Clients of the kind of the fault come for so long, at a low rate of the usual load:
	 * a generator that is cold falls behind a high one, and sends all that is late at
	 * once.
	 */
	static final Duration REHEARSAL = Duration.ofSeconds(3);

	private static final double REHEARSAL_RATE = 0.1;

	private static final int WARMUP_CONNECTIONS = 32;

	private static final int FEWEST_CONNECTIONS = 64;

	private static final int MOST_CONNECTIONS = 4096;

	// Longer than two attempts of the gateway, so that the answer is the gateway's
	private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5));

	private static final long SEED = 1;

	Load warmUp() {
		return Load.closed(new Workload(Model.CLOSED, mix(SERVICE), WARMUP_CONNECTIONS, Duration.ZERO));
	}

	LoadPlan warmUpPlan() {
		return new LoadPlan(this.variant.id() + "-warm-up", this.address, warmUp().workload(), TIMEOUTS, SEED);
	}

	LoadPlan around(Fault fault) {
		// As many as wait while a frozen instance is given the second that it may take
		int connections = (int) Math.clamp(Math.ceil(this.settings.rate()), FEWEST_CONNECTIONS, MOST_CONNECTIONS);
		return new LoadPlan(this.variant.id() + "-" + fault.id(), this.address,
				new Workload(Model.OPEN, mix(fault.service()), connections, Duration.ZERO), TIMEOUTS, SEED);
	}

	/**
	 * How long the stages around a fault are together.
	 * @param settings the lengths
	 * @param fault the fault
	 */
	static Duration length(FaultResults.Settings settings, Fault fault) {
		return RUN_UP.plus(settings.before()).plus(settings.fault()).plus(fault.after(settings.after()));
	}

	Stage rehearsal() {
		return new Stage("rehearsal", Stage.Kind.WARMUP, REHEARSAL, this.settings.rate() * REHEARSAL_RATE,
				Arrivals.CONSTANT);
	}

	Stage runUp() {
		return new Stage("run-up", Stage.Kind.WARMUP, RUN_UP.minus(REHEARSAL), this.settings.rate(), Arrivals.CONSTANT);
	}

	Stage measured(String name, Duration length) {
		return new Stage(name, Stage.Kind.MEASURE, length, this.settings.rate(), Arrivals.CONSTANT);
	}

	private List<RequestType> mix(String service) {
		return List.of(new RequestType("data", 1, "GET", List.of("/" + service + PATH), Map.of(), null,
				new Expectation(200, 4_000, this.variant.gatewayField())));
	}

}
