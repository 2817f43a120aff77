package io.gatewaybench.benchmark.run;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.engine.LatencySummary;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Resources;

/**
 * Rules about those who should not be seen in a measurement: generator, backends, the
 * machine and its other guests, the compiler.
 */
final class NoiseRules {

	private static final double MAX_FOREIGN = 0.05;

	// Of one core, which is all that the generator's event loop can have
	private static final double MAX_GENERATOR = 0.8;

	private static final double MIN_CAPACITY = 3;

	private static final double MAX_LAG_MS = 1;

	private static final double MAX_LAG = 0.05;

	private NoiseRules() {
	}

	static List<String> generator(MeasurementContext context) {
		double cores = context.stage().generator().cpuSeconds() / context.stage().seconds();
		return (cores <= MAX_GENERATOR || context.isUnbounded()) ? List.of()
				: List.of(format(
						"the load generator used %.0f %% of a core, more than %.0f %%, so it may be what was measured",
						cores * 100, MAX_GENERATOR * 100));
	}

	/**
	 * A generator that is late measures itself.
	 */
	static List<String> lag(MeasurementContext context) {
		LatencySummary lag = context.stage().generator().lag().summary();
		LatencySummary response = context.stage().total().latency().response().summary();
		Double p99 = (lag.p99Ms() != null) ? lag.p99Ms() : lag.maxMs();
		if (context.isClosed() || p99 == null) {
			return List.of();
		}
		double limit = Math.max(MAX_LAG_MS, (response.p50Ms() != null) ? MAX_LAG * response.p50Ms() : 0);
		return (p99 <= limit) ? List.of()
				: List.of(format("the load generator was late: %.2f ms at its P99, more than %.2f ms", p99, limit));
	}

	static List<String> capacity(MeasurementContext context) {
		double throughput = context.stage().throughput();
		return (context.capacity() == null || context.isUnbounded() || context
			.capacity() >= MIN_CAPACITY * throughput) ? List.of() : List.of(format(
					"generator and backends by themselves do %.0f requests per second, less than %.0f times what was measured",
					context.capacity(), MIN_CAPACITY));
	}

	static List<String> machine(MeasurementContext context) {
		MachineUse machine = context.resources().machine();
		if (machine == null) {
			return List.of();
		}
		Stream<String> foreign = (machine.foreign() <= MAX_FOREIGN) ? Stream.empty()
				: Stream.of(format("other programs took %.1f %% of the CPU time, more than %.0f %%",
						machine.foreign() * 100, MAX_FOREIGN * 100));
		return Stream.concat(foreign, Stream.ofNullable(machine.stealObjection())).toList();
	}

	/**
	 * Backends and a generator that are still being compiled take from the gateway what
	 * they will not take later: the first variants would look worse than the last ones.
	 */
	static List<String> othersCompiled(MeasurementContext context) {
		double jit = jitSeconds(context.resources().backends()) + jitSeconds(context.resources().generator());
		double part = jit / (context.stage().seconds() * Runtime.getRuntime().availableProcessors());
		return (part <= MAX_FOREIGN) ? List.of()
				: List.of(format(
						"the JIT compilers of backends and generator took %.1f %% of the CPU time, more than %.0f %%",
						part * 100, MAX_FOREIGN * 100));
	}

	private static double jitSeconds(@Nullable ProcessUse use) {
		return (use != null) ? use.cpuSeconds(ThreadGroup.JIT) : 0;
	}

	static List<String> steady(MeasurementContext context) {
		if (context.scenario().variant().control() || context.resources().gateway() == null) {
			return List.of();
		}
		if (context.steady() == null) {
			return List.of(format("the warm-up had less than the %d cycles that can tell whether the gateway is steady",
					Steadiness.CYCLES));
		}
		return context.steady() ? List.of() : List
			.of("the gateway was not steady: its CPU time per request still changed, or its code was still being "
					+ "compiled, at the end of the warm-up");
	}

	/**
	 * What is still being compiled is slower than it will be, and compiling it is work
	 * that no request asked for. A gateway may be steady under the load of its warm-up
	 * and compile again in company, with less of the machine.
	 */
	static List<String> compiled(MeasurementContext context) {
		ProcessUse gateway = context.resources().gateway();
		if (gateway == null || gateway.cpuSeconds() <= 0) {
			return List.of();
		}
		double jit = gateway.cpuSeconds(ThreadGroup.JIT) / gateway.cpuSeconds();
		return (jit <= context.maxJit()) ? List.of()
				: List.of(format("the JIT compilers had %.1f %% of the gateway's CPU time, more than %.1f %%",
						jit * 100, context.maxJit() * 100));
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
