package io.gatewaybench.benchmark.result;

import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;

/**
 * How a gateway became warm, cycle by cycle of load and rest.
 *
 * @param variant what reports call the gateway
 * @param block the repetition, from 1
 * @param cycles the cycles, in order
 * @param steady whether at the end CPU time per request did not change any more and the
 * JIT compilers were idle, {@code null} if there were too few cycles to tell
 */
public record WarmupCurve(String variant, int block, List<Cycle> cycles, @Nullable Boolean steady) {

	/**
	 * Copies the list.
	 */
	public WarmupCurve {
		cycles = List.copyOf(cycles);
	}

	/**
	 * What garbage collection costs where no measurement begins with a clean heap.
	 * @return CPU time in microseconds per successful response, the mean of the cycles
	 * from the third one; {@code null} where unknown
	 */
	public @Nullable Double gcMicrosPerOk() {
		OptionalDouble mean = this.cycles.stream()
			.skip(2)
			.map(Cycle::gcMicrosPerOk)
			.filter(Objects::nonNull)
			.mapToDouble(Double::doubleValue)
			.average();
		return mean.isPresent() ? (Double) mean.getAsDouble() : null;
	}

	/**
	 * One cycle.
	 *
	 * @param okPerSecond successful responses per second of load
	 * @param cpuMicrosPerOk CPU time of the gateway per successful response, or
	 * {@code null} without any
	 * @param jitMicrosPerOk CPU time of the JIT compilers in the cycle and in the rest
	 * before it, per successful response, or {@code null} where unknown
	 * @param gcMicrosPerOk CPU time of the garbage collector in the cycle and in the rest
	 * before it, per successful response, or {@code null} where unknown; no collection is
	 * forced
	 */
	public record Cycle(double okPerSecond, @Nullable Double cpuMicrosPerOk, @Nullable Double jitMicrosPerOk,
			@Nullable Double gcMicrosPerOk) {
	}

}
