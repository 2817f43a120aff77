package io.gatewaybench.benchmark.run;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.observe.FamilySnapshot;
import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.Probe;
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

	private static final Duration CYCLE = Duration.ofSeconds(5);

	// All gateways together, so that the compilers get the cores
	private static final double WARM_UP_RATE = 900;

	private static final double LEAST_RATE = 20;

	private static final double MOST_RATE = 300;

	// Once the first compilations are over, methods get hot no faster than they are
	// called
	private static final double FASTER = 2;

	private static final double FASTEST_RATE = 1_500;

	// Of all cores: with less, the compilers have time to spare
	private static final double MOST_BUSY = 0.9;

	// What compilers may have under the light load, and under the one that is measured
	private static final double MOST_JIT_LIGHT = 0.06;

	private static final double MOST_JIT = 0.03;

	private static final Duration LONGEST_TURN = Duration.ofSeconds(2);

	private static final Duration PRACTICE = Duration.ofSeconds(1);

	private static final Duration GENERATOR_START = Duration.ofSeconds(60);

	private static final int QUIET_CYCLES = 2;

	private static final int MOST_TRIES = 3;

	// A JVM needs so much CPU time until it has compiled what it runs
	private static final double USUAL_CPU = 25;

	private final RunPlan plan;

	private final List<Scenario> group;

	private final int number;

	private final Backends backends;

	private final Console console;

	private final Map<String, Target> targets = new LinkedHashMap<>();

	private final Map<Target, Optional<ProcessSnapshot>> begun = new HashMap<>();

	private final Map<String, Duration> turns = new HashMap<>();

	private final List<Target> cold = new ArrayList<>();

	private boolean judged;

	private final List<Played> played = new ArrayList<>();

	private final List<String> voids = new ArrayList<>();

	private GatewayStart(RunPlan plan, List<Scenario> group, int number, Backends backends, Console console) {
		this.plan = plan;
		this.group = group;
		this.number = number;
		this.backends = backends;
		this.console = console;
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
		GatewayStart start = new GatewayStart(site.plan, group, number, site.backends, site.console);
		try {
			start.launch(site);
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

	private void launch(Site site) throws InterruptedException {
		Map<String, List<Scenario>> processes = this.group.stream()
			.collect(
					Collectors.groupingBy((each) -> each.variant().process(), LinkedHashMap::new, Collectors.toList()));
		List<Callable<Target>> launches = new ArrayList<>();
		processes.forEach((process, scenarios) -> launches.add(() -> {
			Variant variant = scenarios.getFirst().variant();
			String name = process + "-" + this.number;
			Running running = site.launcher.start(
					variant.control() ? "The backend" : "The gateway " + Target.title(scenarios), variant.component(),
					this.backends.references(), new Launcher.Place(site.placement.gateway(),
							site.output.raw().resolve(name), site.output.log(name)));
			return new Target(name, scenarios, this.plan, site.engine, running, this.backends);
		}));
		List<Future<Target>> all = together(launches, site.launcher.patience().multipliedBy(2));
		all.stream()
			.filter((each) -> each.state() == Future.State.SUCCESS)
			.map(Future::resultNow)
			.forEach((target) -> this.targets.put(target.scenarios().getFirst().variant().process(), target));
		failFirst(all);
	}

	/**
	 * Makes calls at the same time. One that takes too long is interrupted, so that
	 * nothing waits for ever.
	 */
	private static <T> List<Future<T>> together(List<Callable<T>> calls, Duration longest) throws InterruptedException {
		try (ExecutorService executor = Executors.newFixedThreadPool(calls.size())) {
			return executor.invokeAll(calls, longest.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private static void failFirst(List<? extends Future<?>> all) {
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

	/**
	 * Sends a light load to all gateways at once until their compilers are idle, and then
	 * plays rounds that do not count, as compilers find new work under the loads that are
	 * measured. The limit is CPU time that a gateway got: on a busy machine, seconds say
	 * nothing.
	 * @param longest how long it may take, {@code null} for as long as it does
	 * @throws BenchFailure if the machine gives so little that it would take longer
	 */
	void warmUp(@Nullable Duration longest) throws InterruptedException {
		double limit = this.plan.settings().warmup().toMillis() / 1e3;
		if (limit == 0) {
			return;
		}
		long begin = System.nanoTime();
		MachineSnapshot machine = MachineSnapshot.take();
		FamilySnapshot family = FamilySnapshot.take(ProcessHandle.current().pid());
		double rate = Math.clamp(WARM_UP_RATE / this.targets.size(), LEAST_RATE, MOST_RATE);
		int quiet = 0;
		while (quiet < QUIET_CYCLES && isBelow(limit)) {
			MachineSnapshot before = MachineSnapshot.take();
			List<Callable<Boolean>> loads = new ArrayList<>();
			double cycle = rate;
			this.targets.values().forEach((target) -> loads.add(() -> target.warmUp(cycle, CYCLE, MOST_JIT_LIGHT)));
			List<Future<Boolean>> all = together(loads,
					CYCLE.plus(this.plan.settings().timeout()).plus(GENERATOR_START));
			failFirst(all);
			if (all.stream().allMatch(Future::resultNow) && hasRoom(before)) {
				rate = Math.min(FASTER * rate, FASTEST_RATE);
			}
			quiet = this.targets.values().stream().allMatch((target) -> target.warmth().isQuiet()) ? quiet + 1 : 0;
			double seconds = (System.nanoTime() - begin) / 1e9;
			tellWarmUp(seconds);
			if (quiet == 0 && longest != null) {
				checkMachine(seconds, longest, machine, family);
			}
		}
		practise(List.copyOf(this.targets.values()));
		while (!coldTargets().isEmpty() && isBelow(limit)) {
			practise(coldTargets());
		}
		this.cold.addAll(coldTargets());
		this.judged = true;
		for (Target target : this.cold) {
			this.console.say(String.format(Locale.ROOT,
					"%s was still compiling after %.0f s of CPU time (%.0f %% of it at last): it is left out of start %d.",
					target.title(), target.warmth().cpuSeconds(), 100 * target.warmth().jit(), this.number));
		}
	}

	private static boolean hasRoom(@Nullable MachineSnapshot before) {
		MachineSnapshot after = MachineSnapshot.take();
		return before != null && after != null && after.since(before, 0).busy() < MOST_BUSY;
	}

	private boolean isBelow(double cpuSeconds) {
		return this.targets.values()
			.stream()
			.filter((target) -> !target.warmth().isQuiet())
			// Each variant of a process is practised by itself
			.allMatch((target) -> target.warmth().cpuSeconds() < cpuSeconds * target.variants().size());
	}

	private List<Target> coldTargets() {
		return this.targets.values()
			.stream()
			.filter((target) -> !target.isControl() && !target.warmth().isQuiet())
			.toList();
	}

	private void tellWarmUp(double seconds) {
		this.console.progress(String.format(Locale.ROOT, "warm-up, %.0f s; compilers have %s of the CPU time", seconds,
				this.targets.values()
					.stream()
					.filter((target) -> !target.isControl())
					.map((target) -> String.format(Locale.ROOT, "%.0f %%", 100 * target.warmth().jit()))
					.collect(Collectors.joining(", "))));
	}

	/**
	 * A gateway that is measured while it is cold may look several times as slow as it
	 * is, so there is no figure rather than such a one.
	 */
	private void checkMachine(double seconds, Duration longest, @Nullable MachineSnapshot from, FamilySnapshot family) {
		List<Target> gateways = this.targets.values().stream().filter((target) -> !target.isControl()).toList();
		double got = gateways.stream().mapToDouble((target) -> target.warmth().cpuSeconds()).sum();
		double missing = gateways.stream()
			.mapToDouble((target) -> Math.max(0, USUAL_CPU - target.warmth().cpuSeconds()))
			.sum();
		double whole = (got > 0) ? seconds * (got + missing) / got : Double.POSITIVE_INFINITY;
		if (seconds < 30 || Math.max(seconds, whole) <= longest.toSeconds()) {
			return;
		}
		MachineSnapshot to = MachineSnapshot.take();
		String others = "";
		if (from != null && to != null) {
			MachineUse use = to.since(from, FamilySnapshot.take(ProcessHandle.current().pid()).secondsSince(family));
			others = String.format(Locale.ROOT, " Other programs took %.0f %% of all cores, other machines %.0f %%.",
					100 * use.foreign(), 100 * use.steal());
		}
		throw new BenchFailure(String.format(Locale.ROOT,
				"The machine is too busy to warm the gateways up: in %.0f s they got %.0f s of CPU time, and need some %.0f s.%s"
						+ " It would take %.0f min. Stop other programs, or allow more with --time %dm.",
				seconds, got, got + missing, others, whole / 60, (int) Math.ceil(whole / 60 / 0.6)));
	}

	private void practise(List<Target> some) throws InterruptedException {
		Map<Target, Long> ok = new LinkedHashMap<>();
		some.forEach((target) -> target.warmth().begin());
		for (Scenario scenario : this.plan.round(this.group, this.number, 0)) {
			Load load = scenario.load();
			boolean own = load.iterations() != null || load.p99Limit() != null;
			Stage stage = load.warmUp("practice", own ? this.plan.settings().slice() : PRACTICE)
				.after(this.plan.lead(load, Duration.ZERO));
			Target target = target(scenario);
			if (!some.contains(target)) {
				continue;
			}
			TypeResult total = target.generator(scenario).run(stage).whole().total();
			remember(load, total.latency().response().summary().meanMs());
			ok.merge(target, total.counts().ok(), Long::sum);
			this.console.progress("practice, " + scenario.id());
		}
		ok.forEach((target, responses) -> target.warmth().end(responses, MOST_JIT));
	}

	/**
	 * Under overload, responses take long, and so does the time until queues are what
	 * they stay. All variants have the same time, that of the slowest.
	 */
	private void remember(Load load, @Nullable Double meanMs) {
		if (meanMs != null && load.rate() == 0) {
			Duration turn = Duration.ofMillis(Math.min(meanMs.longValue(), LONGEST_TURN.toMillis()));
			this.turns.merge(load.id(), turn, (one, other) -> (one.compareTo(other) > 0) ? one : other);
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
	 * Plays a slice of every scenario whose gateway is warm.
	 * @param round which round, from 1
	 */
	void play(int round) throws InterruptedException {
		for (Scenario scenario : this.plan.round(this.group, this.number, round)) {
			if (!this.cold.contains(target(scenario))) {
				this.played.add(play(scenario, round));
			}
		}
	}

	/**
	 * A fault of the harness makes a slice void. It is played again a few times; then
	 * what was seen counts, with a remark.
	 */
	private Played play(Scenario scenario, int round) throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			this.console.progress(scenario.id());
			Played slice = slice(scenario, round);
			this.backends.checkAlive(scenario.id());
			String reason = Remarks.voidReason(slice);
			slice.stage().whole();
			if (reason == null || attempt == MOST_TRIES) {
				return (reason == null) ? slice : slice.with(reason);
			}
			this.voids.add(scenario.id() + ", start " + this.number + ", round " + round + ": " + reason);
		}
	}

	private Played slice(Scenario scenario, int round) throws InterruptedException {
		Duration limit = scenario.load().p99Limit();
		if (limit == null) {
			return measured(scenario, round);
		}
		LoadSession load = target(scenario).generator(scenario);
		double rate = new RateSearch(load, scenario.load(), limit, this.console).find();
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
		this.backends.restart(this.plan.seed(this.number, round));
		observer.begin();
		Observer.ResourceSnapshot before = observer.take(load.pid());
		StageResult measured = load.run(stage, (progress) -> observer.second());
		// With the status set nothing can be looked at
		boolean interrupted = Thread.interrupted();
		Resources resources = observer.take(load.pid()).since(before);
		List<Probe.Figure> probed = observer.end();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return new Played(scenario, round, stage, load.engine(), measured, resources, probed, null);
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
				.curve(target.title(), this.number, this.judged ? (Boolean) !this.cold.contains(target) : null))
			.toList();
	}

	/**
	 * Puts the slices of the start together.
	 * @param whole whether the start is over, so that garbage can be collected
	 * @return what was measured
	 */
	StartResults results(boolean whole) {
		Map<Target, StartResults.Seen> seen = new HashMap<>();
		for (Target target : this.targets.values()) {
			Double between = target.isControl() ? null : betweenSlices(target);
			seen.put(target, new StartResults.Seen(target.running(), target.observer().flags(),
					whole ? target.observer().liveHeapBytes() : null, between));
		}
		return StartResults.of(this.played, this.number,
				(scenario) -> Objects.requireNonNull(seen.get(target(scenario))));
	}

	/**
	 * What the slices have shown until now, without what takes time to find out.
	 */
	StartResults soFar() {
		return StartResults.quick(this.played, this.number,
				(scenario) -> new StartResults.Seen(target(scenario).running(), null, null, null));
	}

	/**
	 * Its targets.
	 */
	Map<String, Target> targets() {
		return this.targets;
	}

	@Override
	public void close() {
		Target.closeAll(List.copyOf(this.targets.values()));
	}

}
