package io.gatewaybench.benchmark.observe;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The peaks of a process: the CPU time of its busiest second, and of a JVM the most heap
 * and the most threads. A process that is gone costs a figure, never the run.
 */
public final class Probe {

	private static final double BYTES_PER_MIB = 1 << 20;

	private static final double NANOS_PER_SECOND = 1e9;

	private final long pid;

	private final @Nullable JvmProbe jvm;

	private FamilySnapshot last = FamilySnapshot.NONE;

	private long lastNanos;

	private double cores;

	/**
	 * Gets ready to look at a process.
	 * @param pid its id
	 * @param jvm what looks into its JVM, {@code null} if there is none. It belongs to
	 * the caller, and stays open as long as the probe
	 */
	public Probe(long pid, @Nullable JvmProbe jvm) {
		this.pid = pid;
		this.jvm = jvm;
	}

	/**
	 * A measurement begins.
	 */
	public void begin() {
		this.cores = 0;
		if (this.jvm != null) {
			this.jvm.resetPeaks();
		}
		this.last = FamilySnapshot.take(this.pid);
		this.lastNanos = System.nanoTime();
	}

	/**
	 * Another second of it is over.
	 */
	public void second() {
		FamilySnapshot now = FamilySnapshot.take(this.pid);
		long nanos = System.nanoTime();
		double seconds = (nanos - this.lastNanos) / NANOS_PER_SECOND;
		// An early look follows a late one. CPU time is known to 10 ms, too little for it
		if (seconds > 0.5) {
			this.cores = Math.max(this.cores, now.secondsSince(this.last) / seconds);
			this.last = now;
			this.lastNanos = nanos;
		}
	}

	/**
	 * The measurement is over.
	 * @return what was seen since it began, without what is not known
	 */
	public List<Figure> end() {
		List<Figure> figures = new ArrayList<>();
		if (this.cores > 0) {
			figures.add(new Figure("peak CPU", "cores", this.cores));
		}
		JvmUse snapshot = (this.jvm != null) ? this.jvm.take() : null;
		if (this.jvm != null && snapshot != null) {
			figures.add(new Figure("peak heap", "MiB", this.jvm.peakHeapBytes() / BYTES_PER_MIB));
			figures.add(new Figure("peak threads", "", snapshot.peakThreads()));
		}
		return figures;
	}

	/**
	 * A figure.
	 *
	 * @param name what reports call it
	 * @param unit such as {@code MiB}, empty for a number of things
	 * @param value the value
	 */
	public record Figure(String name, String unit, double value) {
	}

}
