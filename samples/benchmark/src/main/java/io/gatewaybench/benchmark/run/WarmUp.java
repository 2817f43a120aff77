package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;

/**
 * Makes the gateways of a start warm, all of them together, so that compilers have little
 * to do while slices are measured.
 *
 * @param plan the run
 * @param number which start, from 1
 * @param group its scenarios
 * @param targets its targets, by their processes
 * @param turns told how long a user waits for a response on average, by load
 * @param console told how it goes
 */
record WarmUp(RunPlan plan, int number, List<Scenario> group, Map<String, Target> targets, Map<String, Duration> turns,
		Console console) {

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

	private static final double LEAST_OWN = 2 / 3.0;

	private static final Duration LONGEST_TURN = Duration.ofSeconds(2);

	private static final Duration PRACTICE = Duration.ofSeconds(1);

	private static final Duration GENERATOR_START = Duration.ofSeconds(60);

	// A JVM needs so much CPU time until it has compiled what it runs
	private static final double USUAL_CPU = 25;

	/**
	 * Sends a light load to all gateways at once until their compilers are idle, and then
	 * plays rounds that do not count, as compilers find new work under the loads that are
	 * measured. The limit is CPU time that a gateway got: on a busy machine, seconds say
	 * nothing.
	 * @param limit the most CPU time of each variant of a gateway, in seconds
	 * @param longest how long it may take
	 * @return the gateways that were still cold at the limit
	 * @throws BenchFailure if the machine gives so little that it would take longer
	 */
	List<Target> run(double limit, Duration longest) throws InterruptedException {
		long begin = System.nanoTime();
		MachineSnapshot machine = MachineSnapshot.take();
		double family = ProcessSnapshot.familySeconds(ProcessHandle.current().pid());
		double rate = Math.clamp(WARM_UP_RATE / this.targets.size(), LEAST_RATE, MOST_RATE);
		Supplier<MachineUse> others = () -> others(machine, family);
		BooleanSupplier goesOn = () -> isBelow(limit)
				&& own((System.nanoTime() - begin) / 1e9, others.get()) < longest.toMillis() / 1e3;
		while (!unsteady(this.targets.values().stream()).isEmpty() && goesOn.getAsBoolean()) {
			MachineSnapshot before = MachineSnapshot.take();
			List<Callable<Boolean>> loads = new ArrayList<>();
			double cycle = rate;
			this.targets.values().forEach((target) -> loads.add(() -> target.warmUp(cycle, CYCLE, MOST_JIT_LIGHT)));
			List<Future<Boolean>> all = Target.together(loads,
					CYCLE.plus(this.plan.settings().timeout()).plus(GENERATOR_START));
			Target.failFirst(all);
			if (all.stream().allMatch(Future::resultNow) && hasRoom(before)) {
				rate = Math.min(FASTER * rate, FASTEST_RATE);
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			tellWarmUp(seconds);
			if (!unsteady(this.targets.values().stream()).isEmpty()) {
				checkMachine(seconds, longest, others.get());
			}
		}
		practise(List.copyOf(this.targets.values()));
		practise(List.copyOf(this.targets.values()));
		// A control is not practised, and so would never get steady here
		while (!unsteady(gateways()).isEmpty() && goesOn.getAsBoolean()) {
			practise(unsteady(gateways()));
		}
		List<Target> cold = gateways().filter((target) -> !target.warmth().isQuiet()).toList();
		for (Target target : cold) {
			this.console.say(String.format(Locale.ROOT,
					"%s was still compiling after %.0f s of CPU time in start %d (%.0f %% of it at last).",
					target.title(), target.warmth().cpuSeconds(), this.number, 100 * target.warmth().jit()));
		}
		return cold;
	}

	private static List<Target> unsteady(Stream<Target> some) {
		return some.filter((target) -> !target.warmth().isSteady()).toList();
	}

	private static boolean hasRoom(@Nullable MachineSnapshot before) {
		MachineSnapshot after = MachineSnapshot.take();
		return before != null && after != null && after.since(before, 0).busy() < MOST_BUSY;
	}

	private boolean isBelow(double cpuSeconds) {
		return unsteady(this.targets.values().stream()).stream()
			// Each variant of a process is practised by itself
			.allMatch((target) -> target.warmth().cpuSeconds() < cpuSeconds * target.variants().size());
	}

	private Stream<Target> gateways() {
		return this.targets.values().stream().filter((target) -> !target.isControl());
	}

	private void tellWarmUp(double seconds) {
		this.console.progress(String.format(Locale.ROOT, "warm-up, %.0f s; compilers have %s of the CPU time", seconds,
				gateways().map((target) -> String.format(Locale.ROOT, "%.0f %%", 100 * target.warmth().jit()))
					.collect(Collectors.joining(", "))));
	}

	/**
	 * A gateway that nobody has used yet may look several times as slow as it is, so
	 * there is no figure rather than such a one.
	 */
	private void checkMachine(double seconds, Duration longest, MachineUse others) {
		double got = gateways().mapToDouble((target) -> target.warmth().cpuSeconds()).sum();
		double missing = gateways().mapToDouble((target) -> Math.max(0, USUAL_CPU - target.warmth().cpuSeconds()))
			.sum();
		double whole = (got > 0) ? seconds * (got + missing) / got : Double.POSITIVE_INFINITY;
		// A slow machine has given them what others need, and they need more
		if (missing == 0 || seconds < 30 || own(whole, others) <= longest.toSeconds()) {
			return;
		}
		throw new BenchFailure(String.format(Locale.ROOT,
				"The machine is too busy to warm the gateways up: in %.0f s they got %.0f s of CPU time, and need some %.0f s."
						+ " Other programs took %.0f %% of all cores, other machines %.0f %%."
						+ " It would take %.0f min. Stop other programs, or allow more with --time %dm.",
				seconds, got, got + missing, 100 * others.foreign(), 100 * others.steal(), whole / 60,
				(int) Math.ceil(own(whole, others) / 60 / 0.6)));
	}

	/**
	 * What the machine did since, where that can be seen.
	 */
	private static MachineUse others(@Nullable MachineSnapshot from, double family) {
		MachineSnapshot to = MachineSnapshot.take();
		return (from == null || to == null) ? new MachineUse(0, 0, 0, 0, 0)
				: to.since(from, ProcessSnapshot.familySeconds(ProcessHandle.current().pid()) - family);
	}

	/**
	 * The time without that which others had: on a busy machine a run takes longer, by a
	 * half at most, and has an answer.
	 */
	static double own(double seconds, MachineUse others) {
		return seconds * Math.max(1 - others.foreign() - others.steal(), LEAST_OWN);
	}

	private void practise(List<Target> some) throws InterruptedException {
		Map<Target, Long> ok = new LinkedHashMap<>();
		some.forEach((target) -> target.warmth().begin());
		for (Scenario scenario : this.plan.round(this.group, this.number, 0)) {
			Load load = scenario.load();
			boolean own = load.iterations() != null || load.p99Limit() != null;
			Stage stage = load.warmUp("practice", own ? this.plan.settings().slice() : PRACTICE)
				.after(this.plan.lead(load, Duration.ZERO));
			Target target = Objects.requireNonNull(this.targets.get(scenario.variant().process()));
			if (!some.contains(target) || target.isControl()) {
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

}
