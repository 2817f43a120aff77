package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.engine.AgentResult;
import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;

/**
 * Rules about those who should not be seen in a measurement: generator, backends, the
 * machine and its other guests, the compiler.
 */
final class NoiseRules {

	private static final double MAX_OTHERS_JIT = 0.05;

	// Of one core, which is all that the generator's event loop can have
	private static final double MAX_GENERATOR = 0.8;

	private static final double MIN_CAPACITY = 3;

	private static final double MAX_LAG_MS = 1;

	private static final double MAX_LAG = 0.05;

	private static final double MAX_STEAL_OF_SECOND = 0.1;

	// The least part of its requests that an agent may send
	private static final double MIN_AGENT = 0.95;

	// In a closed loop an agent's part follows from its latencies
	private static final double MIN_AGENT_CLOSED = 0.5;

	private static final long MAX_CLOCK_MS = 250;

	private static final double MAX_LATE = 0.05;

	// What a second in which the machine was busy elsewhere shows in
	private static final Set<Metric> TAILS = Set.of(Metric.SERVICE_P99, Metric.OVERHEAD_P99, Metric.SLO_P99);

	// What it does not show in if most seconds were not like it
	private static final Set<Metric> ROBUST = Set.of(Metric.CPU, Metric.ALLOCATION, Metric.MEMORY, Metric.SERVICE_P50,
			Metric.OVERHEAD_P50, Metric.RESPONSE_P50);

	// By Little's law, the mean latency follows from the throughput of a closed loop
	private static final Set<Metric> BOUNDED = Set.of(Metric.THROUGHPUT, Metric.SERVICE_MEAN);

	// The least part of the theoretical maximum at which throughput can't be further off
	// than an equivalent one may be
	private static final double MIN_BOUNDED = 0.97;

	// Compiling that is less than this of the machine delays nobody
	private static final double MIN_JIT = 0.01;

	private NoiseRules() {
	}

	static List<Objection> generator(MeasurementContext context) {
		// Its agents have as many threads as they need, and are judged by what they sent
		if (!context.stage().generator().agents().isEmpty()) {
			return List.of();
		}
		double cores = context.stage().generator().cpuSeconds() / context.stage().seconds();
		return (cores <= MAX_GENERATOR || context.isUnbounded()) ? List.of() : Objection.toAll(
				"the load generator used %.0f %% of a core, more than %.0f %%, so it may have limited the result",
				cores * 100, MAX_GENERATOR * 100);
	}

	/**
	 * A generator that is late measures itself. Its delay is part of the response time,
	 * so where a rate is searched within a limit, it is compared with the limit.
	 */
	static List<Objection> lag(MeasurementContext context) {
		LatencySummary lag = context.stage().generator().lag().summary();
		LatencySummary response = context.stage().total().latency().response().summary();
		Double p99 = lag.p99OrMaxMs();
		if (context.isClosed() || p99 == null) {
			return List.of();
		}
		Duration within = context.scenario().load().p99Limit();
		double compared = (within != null) ? within.toMillis() : Objects.requireNonNullElse(response.p50Ms(), 0.0);
		double limit = Math.max(MAX_LAG_MS, MAX_LAG * compared);
		return (p99 <= limit) ? List.of()
				: Objection.toAll("the load generator was late: %.2f ms at its P99, more than %.2f ms", p99, limit);
	}

	/**
	 * An agent that is slow, or whose clock is wrong, spoils what all agents did
	 * together.
	 */
	static List<Objection> agents(MeasurementContext context) {
		List<Objection> objections = new ArrayList<>();
		List<AgentResult> agents = context.stage().generator().agents();
		double mean = agents.stream().mapToLong(AgentResult::sent).average().orElse(0);
		for (AgentResult agent : agents) {
			double planned = (agent.planned() != null) ? agent.planned() : mean;
			double part = (planned > 0) ? agent.sent() / planned : 1;
			if (part < ((agent.planned() != null) ? MIN_AGENT : MIN_AGENT_CLOSED)) {
				objections.addAll(Objection.toAll("the agent %s sent %.0f %% of its part of the requests",
						agent.agent(), part * 100));
			}
			if (Math.abs(agent.clockMs()) > MAX_CLOCK_MS) {
				objections.addAll(Objection.toAll("the clock of the agent %s is %.1f s %s", agent.agent(),
						Math.abs(agent.clockMs()) / 1e3, (agent.clockMs() > 0) ? "ahead" : "behind"));
			}
		}
		long first = agents.stream().mapToLong(AgentResult::firstMs).min().orElse(0);
		AgentResult last = agents.stream().max(Comparator.comparingLong(AgentResult::firstMs)).orElse(null);
		if (objections.isEmpty() && last != null && last.firstMs() - first > lateMillis(context, last)) {
			objections.addAll(Objection.toAll("the agent %s began %.1f s later than the first one", last.agent(),
					(last.firstMs() - first) / 1e3));
		}
		return objections;
	}

	// The first requests of an open model come when chance wants
	private static double lateMillis(MeasurementContext context, AgentResult agent) {
		double millis = context.stage().seconds() * 1e3;
		double chance = (agent.planned() != null && agent.planned() > 0) ? 7 * millis / agent.planned() : 0;
		return Math.max(MAX_LATE * millis, MAX_CLOCK_MS + (context.isClosed() ? 0 : chance));
	}

	/**
	 * A control has no gateway that generator and backends could hide.
	 */
	static List<Objection> capacity(MeasurementContext context) {
		if (context.capacity() == null || (context.scenario().variant().control() && context.isClosed())
				|| context.capacity() >= MIN_CAPACITY * context.stage().throughput()) {
			return List.of();
		}
		return Objection.toAll(
				"without a gateway, generator and backends do %.0f requests per second, less than %.0f times the measured throughput",
				context.capacity(), MIN_CAPACITY);
	}

	static List<Objection> machine(MeasurementContext context) {
		MachineUse machine = context.resources().machine();
		if (machine == null) {
			return List.of();
		}
		List<Objection> objections = new ArrayList<>();
		String foreign = machine.foreignObjection();
		if (foreign != null) {
			objections.add(new Objection(foreign, noiseSpoils(context)));
		}
		String steal = machine.stealObjection();
		double worst = machine.stealBySecond().stream().mapToDouble(Double::doubleValue).max().orElse(0);
		if (steal != null) {
			Set<Metric> spoilt = noiseSpoils(context);
			spoilt.removeAll(machine.stealIsRare() ? ROBUST : Set.of());
			objections.add(new Objection(steal, spoilt));
		}
		else if (worst > MAX_STEAL_OF_SECOND) {
			objections.addAll(Objection.to(TAILS,
					"other machines on the same host took %.0f %% of the CPU time in one second, more than %.0f %%",
					worst * 100, MAX_STEAL_OF_SECOND * 100));
		}
		return objections;
	}

	/**
	 * Noise does not spoil a throughput that the backends bound.
	 */
	private static Set<Metric> noiseSpoils(MeasurementContext context) {
		TheoreticalMaximum maximum = context.theoreticalMaximum();
		boolean bounded = maximum != null && maximum.reached() >= MIN_BOUNDED;
		return EnumSet.complementOf(bounded ? EnumSet.copyOf(BOUNDED) : EnumSet.noneOf(Metric.class));
	}

	/**
	 * Backends and a generator that are still being compiled take from the gateway what
	 * they will not take later: the first variants would look worse than the last ones.
	 */
	static List<Objection> othersCompiled(MeasurementContext context) {
		double part = part(context, Runtime.getRuntime().availableProcessors(),
				jitSeconds(context.resources().backends()) + jitSeconds(context.resources().generator()));
		return (part <= MAX_OTHERS_JIT) ? List.of()
				: Objection.to(noiseSpoils(context),
						"the JIT compilers of backends and generator took %.1f %% of the CPU time, more than %.0f %%",
						part * 100, MAX_OTHERS_JIT * 100);
	}

	private static double jitSeconds(@Nullable ProcessUse use) {
		return (use != null) ? use.cpuSeconds(ThreadGroup.JIT) : 0;
	}

	private static double part(MeasurementContext context, int cores, double seconds) {
		return seconds / (context.stage().seconds() * cores);
	}

	static List<Objection> steady(MeasurementContext context) {
		if (context.scenario().variant().control() || context.resources().gateway() == null) {
			return List.of();
		}
		if (context.steady() == null) {
			return Objection.to(noiseSpoils(context),
					"the warm-up had less than the %d cycles that can tell whether the gateway is steady",
					Steadiness.CYCLES);
		}
		return context.steady() ? List.of()
				: Objection.to(noiseSpoils(context),
						"the gateway was not steady: its CPU time per request still changed, or its code was still "
								+ "being compiled, at the end of the warm-up");
	}

	/**
	 * What is still being compiled is slower than it will be, and the compilers take a
	 * core from the requests. A gateway may be steady under the load of its warm-up and
	 * compile again in company, with less of the machine. Under little load the last
	 * compilations are a large part of little CPU time, and harm nobody: CPU time per
	 * request is without them.
	 */
	static List<Objection> compiled(MeasurementContext context) {
		ProcessUse gateway = context.resources().gateway();
		if (gateway == null || gateway.cpuSeconds() <= 0
				|| part(context, context.gatewayCores(), jitSeconds(gateway)) <= MIN_JIT) {
			return List.of();
		}
		double jit = jitSeconds(gateway) / gateway.cpuSeconds();
		return (jit <= context.maxJit()) ? List.of()
				: Objection.to(noiseSpoils(context),
						"the JIT compilers had %.1f %% of the gateway's CPU time, more than %.1f %%", jit * 100,
						context.maxJit() * 100);
	}

}
