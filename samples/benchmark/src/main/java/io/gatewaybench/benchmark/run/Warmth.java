package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.result.WarmupCurve.Cycle;

/**
 * How warm a process is, by what its JIT compilers do. While they have work, its CPU time
 * per request is not what it will be, and no pairing with another one takes that out.
 */
public final class Warmth {

	// Under little load the last compilations are a large part of little CPU time, and
	// delay nobody
	private static final double IDLE = 0.01;

	private static final int QUIET_CYCLES = 2;

	private final Supplier<@Nullable ProcessSnapshot> subject;

	private final List<Cycle> cycles = new ArrayList<>();

	private @Nullable ProcessSnapshot from;

	private long begun;

	private int quiet;

	private double cpuSeconds;

	/**
	 * A process that is cold.
	 * @param subject looks at it
	 */
	public Warmth(Supplier<@Nullable ProcessSnapshot> subject) {
		this.subject = subject;
	}

	/**
	 * A cycle begins.
	 */
	public void begin() {
		this.from = this.subject.get();
		this.begun = System.nanoTime();
	}

	/**
	 * The cycle is over.
	 * @param ok successful responses
	 * @param most the part of the CPU time that the compilers of a warm process may have
	 */
	public void end(long ok, double most) {
		double seconds = (System.nanoTime() - this.begun) / 1e9;
		ProcessSnapshot before = this.from;
		ProcessSnapshot after = (before != null) ? this.subject.get() : null;
		ProcessUse use = (before != null && after != null) ? after.since(before) : null;
		double cpu = (use != null) ? use.cpuSeconds() : 0;
		double jit = (use != null) ? use.cpuSeconds(ThreadGroup.JIT) : 0;
		this.cycles.add(new Cycle(ok / seconds, cpu, (cpu > 0) ? jit / cpu : 0));
		this.cpuSeconds += cpu;
		this.quiet = (jit <= Math.max(most * cpu, IDLE * seconds)) ? this.quiet + 1 : 0;
	}

	/**
	 * Whether the compilers were idle in the last cycle.
	 * @return {@code true} also where nobody can look
	 */
	public boolean isQuiet() {
		return this.quiet > 0;
	}

	/**
	 * Whether they were idle in the last cycles. Code that they have given up is slow for
	 * a while before they begin with it again.
	 */
	boolean isSteady() {
		return this.quiet >= QUIET_CYCLES;
	}

	/**
	 * The part of the CPU time that the compilers had in the last cycle.
	 */
	double jit() {
		return this.cycles.isEmpty() ? 0 : this.cycles.getLast().jit();
	}

	/**
	 * The CPU time that it got in its cycles.
	 * @return seconds
	 */
	public double cpuSeconds() {
		return this.cpuSeconds;
	}

	/**
	 * How it went.
	 * @param variant what reports call it
	 * @param start which start, from 1
	 * @param steady whether it was warm at the end, {@code null} if nobody waited for it
	 * @param measured whether it is measured
	 * @return the cycles so far
	 */
	public WarmupCurve curve(String variant, int start, @Nullable Boolean steady, boolean measured) {
		return new WarmupCurve(variant, start, this.cycles, steady, measured);
	}

}
