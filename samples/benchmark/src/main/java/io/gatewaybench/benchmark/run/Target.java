package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.topology.Running;

/**
 * A process that load is sent to, from its start to its end: a gateway that one variant
 * or several share, or a backend. Its generators stay as long, as a new one compiles for
 * a few seconds, and takes that time from what is measured.
 */
final class Target implements AutoCloseable {

	static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private static final int MOST_CONNECTIONS = 256;

	private static final double KEPT_UP = 0.9;

	private final String name;

	private final List<Scenario> scenarios;

	private final RunPlan plan;

	private final LoadEngine engine;

	private final Running running;

	private final Observer observer;

	private final Warmth warmth;

	private final Map<Duration, LoadSession> generators = new LinkedHashMap<>();

	Target(String name, List<Scenario> scenarios, RunPlan plan, LoadEngine engine, Running running, Backends backends) {
		this.name = name;
		this.scenarios = scenarios;
		this.plan = plan;
		this.engine = engine;
		this.running = running;
		this.observer = Observer.of(running, backends);
		// Without a gateway, the backends are what has to be warm
		this.warmth = new Warmth(running.isVisible() ? running::look : backends::look);
	}

	/**
	 * What reports call it.
	 */
	String title() {
		return title(this.scenarios);
	}

	static String title(List<Scenario> scenarios) {
		List<String> titles = scenarios.stream().map((each) -> each.variant().title()).distinct().toList();
		return (titles.size() == 1) ? titles.getFirst() : scenarios.getFirst().variant().process();
	}

	List<Scenario> scenarios() {
		return this.scenarios;
	}

	Running running() {
		return this.running;
	}

	Observer observer() {
		return this.observer;
	}

	Warmth warmth() {
		return this.warmth;
	}

	boolean isControl() {
		return this.scenarios.getFirst().variant().control();
	}

	/**
	 * What sends a load to it.
	 */
	LoadSession generator(Scenario scenario) throws InterruptedException {
		Duration think = scenario.workload().thinkTime();
		LoadSession known = this.generators.get(think);
		if (known == null) {
			List<Workload> alike = this.scenarios.stream()
				.map(Scenario::workload)
				.filter((each) -> each.thinkTime().equals(think))
				.toList();
			int connections = alike.stream().mapToInt(Workload::connections).max().orElseThrow();
			Workload workload = new Workload(Model.CLOSED, alike.getFirst().mix(), connections, think);
			String id = this.generators.isEmpty() ? this.name : this.name + "-load-" + (this.generators.size() + 1);
			Variant variant = this.scenarios.getFirst().variant();
			known = this.engine.open(new LoadPlan(id, variant.protocol().target(this.running.address()), workload,
					new Timeouts(CONNECT_TIMEOUT, this.plan.settings().timeout()), this.plan.settings().seed(),
					variant.streams()));
			this.generators.put(think, known);
		}
		return known;
	}

	/**
	 * Sends a light load of the requests of all its variants, so that the compilers get
	 * the cores.
	 * @param rate requests per second
	 * @param length how long
	 * @param most the part of the CPU time that the compilers of a warm process may have
	 * @return whether it answered as fast as requests were sent
	 */
	boolean warmUp(double rate, Duration length, double most) throws InterruptedException {
		Scenario largest = this.scenarios.stream()
			.max(Comparator.comparingInt((each) -> each.workload().connections()))
			.orElseThrow();
		Stage stage = new Stage("warm-up", Stage.Kind.WARMUP, Duration.ZERO, length, rate, Arrivals.CONSTANT, List.of(),
				Math.min(largest.workload().connections(), MOST_CONNECTIONS), 0, mix());
		this.warmth.begin();
		long ok = generator(largest).run(stage).whole().total().counts().ok();
		this.warmth.end(ok, most);
		return ok >= KEPT_UP * rate * length.toMillis() / 1e3;
	}

	List<Variant> variants() {
		return this.scenarios.stream().map(Scenario::variant).distinct().toList();
	}

	private List<RequestType> mix() {
		List<Variant> variants = variants();
		List<RequestType> mix = new ArrayList<>();
		for (Variant variant : variants) {
			this.scenarios.stream()
				.filter((each) -> each.variant().equals(variant))
				.flatMap((each) -> each.workload().mix().stream())
				.map((type) -> (variants.size() == 1) ? type : type.named(variant.id() + "-" + type.name()))
				.filter((type) -> mix.stream().noneMatch((other) -> other.name().equals(type.name())))
				.forEach(mix::add);
		}
		return mix;
	}

	/**
	 * Makes calls at the same time. One that takes too long is interrupted, so that
	 * nothing waits for ever.
	 */
	static <T> List<Future<T>> together(List<Callable<T>> calls, Duration longest) throws InterruptedException {
		try (ExecutorService executor = Executors.newFixedThreadPool(calls.size())) {
			return executor.invokeAll(calls, longest.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Throws what the first call that failed has thrown.
	 * @throws BenchFailure also if a call did not end in time
	 */
	static void failFirst(List<? extends Future<?>> all) {
		if (all.stream().anyMatch(Future::isCancelled)) {
			throw new BenchFailure("A gateway, or what loads it, did not answer in time; see logs/ among the results");
		}
		all.stream()
			.filter((each) -> each.state() == Future.State.FAILED)
			.map(Future::exceptionNow)
			.findFirst()
			.ifPresent((failure) -> {
				throw (failure instanceof RuntimeException unchecked) ? unchecked
						: new BenchFailure(String.valueOf(failure), failure);
			});
	}

	@Override
	public void close() {
		try (this.running; this.observer) {
			closeAll(this.generators.values().iterator());
		}
	}

	// Each of them, also when another one fails
	private static void closeAll(Iterator<LoadSession> sessions) {
		if (sessions.hasNext()) {
			LoadSession session = sessions.next();
			try (session) {
				closeAll(sessions);
			}
		}
	}

}
