package io.gatewaybench.benchmark.run;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.Running;

/**
 * One start of all gateways of a group: they start together, are warmed up together, and
 * stay while rounds of slices are played.
 */
final class GatewayStart implements AutoCloseable {

	private static final int MOST_TRIES = 3;

	private final Site site;

	private final RunPlan plan;

	private final List<Scenario> group;

	private final int number;

	private final Map<String, Target> targets = new LinkedHashMap<>();

	private final Map<Target, Optional<ProcessSnapshot>> begun = new HashMap<>();

	private final Map<String, Duration> turns = new HashMap<>();

	private final List<Target> cold = new ArrayList<>();

	private boolean judged;

	private boolean needed;

	private final List<Played> played = new ArrayList<>();

	private final List<String> voids = new ArrayList<>();

	private GatewayStart(Site site, List<Scenario> group, int number) {
		this.site = site;
		this.plan = site.plan;
		this.group = group;
		this.number = number;
	}

	/**
	 * What does not change from one start to the next.
	 */
	record Site(RunPlan plan, Launcher launcher, HttpClient client, Backends backends, LoadEngine engine,
			OutputDirectory output, Placement placement, Console console) {
	}

	/**
	 * Starts all gateways at the same time, and checks that they answer as they must.
	 * @param site what does not change
	 * @param group the scenarios
	 * @param number which start, from 1
	 * @return the gateways, to be closed
	 */
	static GatewayStart open(Site site, List<Scenario> group, int number) throws InterruptedException {
		GatewayStart start = new GatewayStart(site, group, number);
		try {
			start.launch();
			FunctionalCheck check = new FunctionalCheck(site.client);
			for (Target target : start.targets.values()) {
				for (var mix : target.scenarios().stream().map((each) -> each.workload().mix()).distinct().toList()) {
					check.check(target.running(), mix);
				}
			}
			return start;
		}
		catch (InterruptedException | RuntimeException ex) {
			start.close();
			throw ex;
		}
	}

	private void launch() throws InterruptedException {
		Map<String, List<Scenario>> processes = this.group.stream()
			.collect(
					Collectors.groupingBy((each) -> each.variant().process(), LinkedHashMap::new, Collectors.toList()));
		List<Callable<Target>> launches = new ArrayList<>();
		processes.forEach((process, scenarios) -> launches.add(() -> {
			Variant variant = scenarios.getFirst().variant();
			String name = process + "-" + this.number;
			Running running = this.site.launcher.start(
					variant.control() ? "The backend" : "The gateway " + Target.title(scenarios), variant.component(),
					this.site.backends.references(),
					new Launcher.Place(this.site.placement.gateway(), this.site.output.raw().resolve(name),
							this.site.output.log(name), variant.protocol().tls()));
			return new Target(name, scenarios, this.plan, this.site.engine, running, this.site.backends);
		}));
		List<Future<Target>> all = Target.together(launches, this.site.launcher.patience().multipliedBy(2));
		all.stream()
			.filter((each) -> each.state() == Future.State.SUCCESS)
			.map(Future::resultNow)
			.forEach((target) -> this.targets.put(target.scenarios().getFirst().variant().process(), target));
		Target.failFirst(all);
	}

	/**
	 * Makes the gateways warm.
	 * @param longest how long it may take
	 * @param needed whether to measure a gateway that is still cold, too
	 * @throws BenchFailure if the machine gives so little that it would take longer
	 */
	void warmUp(Duration longest, boolean needed) throws InterruptedException {
		double limit = this.plan.settings().warmup().toMillis() / 1e3;
		if (limit > 0) {
			WarmUp warmUp = new WarmUp(this.plan, this.number, this.group, this.targets, this.turns, this.site.console);
			this.cold.addAll(warmUp.run(limit, longest));
			this.judged = true;
			this.needed = needed;
		}
	}

	private Target target(Scenario scenario) {
		return Optional.ofNullable(this.targets.get(scenario.variant().process())).orElseThrow();
	}

	/**
	 * The rounds begin.
	 */
	void begin() {
		this.targets.values().forEach((target) -> this.begun.put(target, Optional.ofNullable(target.running().look())));
	}

	/**
	 * The part of a gateway's CPU time in the rounds that it used between its slices.
	 * @return {@code null} where unknown
	 */
	private @Nullable Double betweenSlices(Target target) {
		ProcessSnapshot from = this.begun.getOrDefault(target, Optional.empty()).orElse(null);
		ProcessSnapshot to = target.running().look();
		if (from == null || to == null) {
			return null;
		}
		double all = to.since(from).cpuSeconds();
		double slices = this.played.stream()
			.filter((slice) -> target(slice.scenario()) == target)
			.map((slice) -> slice.resources().gateway())
			.filter(Objects::nonNull)
			.mapToDouble(ProcessUse::cpuSeconds)
			.sum();
		return (all > 0) ? (Double) Math.max(0, 1 - slices / all) : null;
	}

	/**
	 * Plays a slice of every scenario whose gateway is not left out.
	 * @param round which round, from 1
	 */
	void play(int round) throws InterruptedException {
		for (Scenario scenario : this.plan.round(this.group, this.number, round)) {
			if (isMeasured(target(scenario))) {
				this.played.add(play(scenario, round));
			}
		}
	}

	private boolean isMeasured(Target target) {
		return this.needed || !this.cold.contains(target);
	}

	/**
	 * A fault of the harness makes a slice void. It is played again a few times; then
	 * what was seen counts, with a remark.
	 */
	private Played play(Scenario scenario, int round) throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			this.site.console.progress(scenario.id());
			Played slice = slice(scenario, round);
			this.site.backends.checkAlive(scenario.id());
			String reason = Remarks.voidReason(slice);
			slice.stage().whole();
			if (reason == null || attempt == MOST_TRIES) {
				return (reason == null) ? slice : slice.with(reason);
			}
			this.voids.add(scenario.id() + ", start " + this.number + ", round " + round + ": " + reason);
		}
	}

	private Played slice(Scenario scenario, int round) throws InterruptedException {
		if (scenario.load().p99Limit() == null) {
			return measured(scenario, round);
		}
		LoadSession load = target(scenario).generator(scenario);
		double rate = new RateSearch(load, scenario.load(), RateSearch.REST, this.site.console).find();
		for (int times = 1;; times++) {
			Played slice = measured(scenario.at(rate), round);
			Double lower = RateSearch.lower(slice.scenario().load(), slice.stage(), times);
			if (lower == null) {
				return slice;
			}
			rate = lower;
		}
	}

	private Played measured(Scenario scenario, int round) throws InterruptedException {
		Target target = target(scenario);
		LoadSession load = target.generator(scenario);
		Observer observer = target.observer();
		Load wanted = scenario.load();
		Duration turn = this.turns.getOrDefault(wanted.id(), Duration.ZERO);
		Stage stage = wanted.measurement(scenario.id(), this.plan.window(wanted, turn))
			.after(this.plan.lead(wanted, turn));
		// Every slice of a round meets the same delays
		this.site.backends.restart(this.plan.seed(this.number, round));
		Observer.ResourceSnapshot before = observer.take(load.pid());
		StageResult measured = load.run(stage);
		// With the status set nothing can be looked at
		boolean interrupted = Thread.interrupted();
		Resources resources = observer.take(load.pid()).since(before);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return new Played(scenario, round, stage, this.plan.settings().engine(), measured, resources, null);
	}

	/**
	 * What made slices void.
	 */
	List<String> voids() {
		return this.voids;
	}

	List<WarmupCurve> curves() {
		return this.targets.values()
			.stream()
			.filter((target) -> !target.isControl())
			.map((target) -> target.warmth()
				.curve(target.title(), this.number, this.judged ? (Boolean) !this.cold.contains(target) : null,
						isMeasured(target)))
			.toList();
	}

	/**
	 * Puts the slices of the start together.
	 * @param some of which scenarios; all of them take seconds
	 * @param whole whether the start is over, so that garbage can be collected
	 * @return what was measured
	 */
	StartResults results(Predicate<Scenario> some, boolean whole) {
		Map<Target, StartResults.Seen> seen = new HashMap<>();
		for (Target target : this.targets.values()) {
			Double between = target.isControl() ? null : betweenSlices(target);
			seen.put(target, new StartResults.Seen(target.running(), target.observer().flags(),
					whole ? target.observer().liveHeapBytes() : null, between));
		}
		List<Played> slices = this.played.stream().filter((slice) -> some.test(slice.scenario())).toList();
		return StartResults.of(slices, this.number, (scenario) -> Objects.requireNonNull(seen.get(target(scenario))));
	}

	/**
	 * Its targets.
	 */
	Map<String, Target> targets() {
		return this.targets;
	}

	@Override
	public void close() {
		List<Future<?>> ends = new ArrayList<>();
		// One after the other they take some seconds each
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			this.targets.values().forEach((target) -> ends.add(executor.submit(target::close)));
		}
		Target.failFirst(ends);
	}

}
