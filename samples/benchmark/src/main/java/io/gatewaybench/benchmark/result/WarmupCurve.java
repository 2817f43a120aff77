package io.gatewaybench.benchmark.result;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a gateway became warm, cycle by cycle of load and rest.
 *
 * @param variant what reports call the gateway
 * @param start which start, from 1
 * @param cycles the cycles, in order
 * @param steady whether at the end the JIT compilers were idle, {@code null} if nobody
 * waited for it
 * @param measured whether it was measured, warm or not
 */
public record WarmupCurve(String variant, int start, List<Cycle> cycles, @Nullable Boolean steady, boolean measured) {

	/**
	 * Copies the list.
	 */
	public WarmupCurve {
		cycles = List.copyOf(cycles);
	}

	/**
	 * One cycle: a load, or a round that does not count.
	 *
	 * @param okPerSecond successful responses per second
	 * @param cpuSeconds CPU time of the gateway
	 * @param jit the part of it that its JIT compilers had, 0 to 1
	 */
	public record Cycle(double okPerSecond, double cpuSeconds, double jit) {
	}

}
