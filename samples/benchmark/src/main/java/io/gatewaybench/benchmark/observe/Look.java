package io.gatewaybench.benchmark.observe;

import org.jspecify.annotations.Nullable;

/**
 * What was seen at one moment of a measurement.
 *
 * @param nanoTime when
 * @param process the gateway and all that it started, {@code null} if it has no process
 * here or is gone
 * @param heap the heap of its JVM, {@code null} if it is none or does not tell
 * @param machine the machine, {@code null} if the platform has no {@code /proc}
 */
record Look(long nanoTime, @Nullable ProcessSnapshot process, PerfData.@Nullable Heap heap,
		@Nullable MachineSnapshot machine) {

	/**
	 * What happened between two looks.
	 * @param earlier the first look
	 * @return the difference
	 */
	Interval since(Look earlier) {
		double seconds = (this.nanoTime - earlier.nanoTime) / 1e9;
		return new Interval(this.nanoTime, seconds,
				(this.process != null && earlier.process != null) ? this.process.since(earlier.process) : null,
				(this.heap != null) ? (Long) this.heap.usedBytes() : null,
				(this.heap != null && earlier.heap != null)
						? (Double) ((this.heap.collectionNanos() - earlier.heap.collectionNanos()) / 1e6 / seconds)
						: null,
				// A kernel that counts has counted something since the machine began
				(this.machine != null && earlier.machine != null && this.machine.pressureMicros() > 0)
						? (Double) ((this.machine.pressureMicros() - earlier.machine.pressureMicros()) / 1e6 / seconds)
						: null);
	}

	/**
	 * What happened between two looks; each is {@code null} where nobody tells.
	 *
	 * @param nanoTime when it ended
	 * @param seconds its length
	 * @param process what the gateway used
	 * @param heapUsedBytes heap in use at its end
	 * @param collectionMillis milliseconds per second for which collections stopped the
	 * gateway
	 * @param pressure the part in which a thread waited for a core, 0 to 1
	 */
	record Interval(long nanoTime, double seconds, @Nullable ProcessUse process, @Nullable Long heapUsedBytes,
			@Nullable Double collectionMillis, @Nullable Double pressure) {

		/**
		 * CPU time of the gateway per second.
		 */
		@Nullable Double cores() {
			return (this.process != null) ? (Double) (this.process.cpuSeconds() / this.seconds) : null;
		}

		/**
		 * CPU time per second of the gateway's threads that are for one thing.
		 */
		@Nullable Double cores(ThreadGroup group) {
			return (this.process != null) ? (Double) (this.process.cpuSeconds(group) / this.seconds) : null;
		}

	}

}
