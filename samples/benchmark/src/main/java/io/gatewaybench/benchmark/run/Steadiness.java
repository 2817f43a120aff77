package io.gatewaybench.benchmark.run;

import java.util.List;
import java.util.Objects;

import io.gatewaybench.benchmark.result.WarmupCurve.Cycle;
import org.jspecify.annotations.Nullable;

/**
 * Tells from the cycles of a warm-up whether a gateway is steady: CPU time per request
 * does not change any more, and the JIT compilers have nothing left to do. On few cores
 * these get so little time that a gateway may look steady for long before its code is
 * compiled.
 *
 * @param tolerance how far CPU time per request of the last three cycles may differ, as a
 * part of their mean; the JIT compilers may have half as much of the last one, and of a
 * measurement
 */
public record Steadiness(double tolerance) {

	/**
	 * The least number of cycles that can tell.
	 */
	static final int CYCLES = 3;

	/**
	 * Looks at the last three cycles.
	 * @param cycles all cycles so far
	 * @return whether the gateway is steady, {@code null} if there are too few cycles, or
	 * one of the last ones has no figure
	 */
	@Nullable Boolean of(List<Cycle> cycles) {
		if (cycles.size() < CYCLES) {
			return null;
		}
		double[] last = cycles.subList(cycles.size() - CYCLES, cycles.size())
			.stream()
			.map(Cycle::cpuMicrosPerOk)
			.filter(Objects::nonNull)
			.mapToDouble(Double::doubleValue)
			.sorted()
			.toArray();
		if (last.length < CYCLES) {
			return null;
		}
		double mean = (last[0] + last[1] + last[2]) / CYCLES;
		return last[2] - last[0] <= this.tolerance * mean && isCompiled(cycles.getLast());
	}

	private boolean isCompiled(Cycle cycle) {
		Double cpu = cycle.cpuMicrosPerOk();
		Double jit = cycle.jitMicrosPerOk();
		return cpu == null || jit == null || jit <= maxJit() * cpu;
	}

	/**
	 * How much the JIT compilers may have.
	 * @return a part of the gateway's CPU time
	 */
	double maxJit() {
		return this.tolerance / 2;
	}

}
