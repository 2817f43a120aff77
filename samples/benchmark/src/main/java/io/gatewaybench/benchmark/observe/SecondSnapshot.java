package io.gatewaybench.benchmark.observe;

import java.util.EnumMap;
import java.util.Map;

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
record SecondSnapshot(long nanoTime, ProcessWatch.@Nullable Snapshot process, PerfData.@Nullable Heap heap,
		@Nullable MachineSnapshot machine) {

	/**
	 * What happened between two looks.
	 * @param earlier the first look
	 * @return the difference
	 */
	Interval since(SecondSnapshot earlier) {
		double seconds = (this.nanoTime - earlier.nanoTime) / 1e9;
		ProcessWatch.Snapshot now = (earlier.process != null) ? this.process : null;
		Map<ThreadGroup, Double> cores = new EnumMap<>(ThreadGroup.class);
		if (now != null && earlier.process != null) {
			now.cpuSince(earlier.process).forEach((group, cpu) -> cores.put(group, cpu / seconds));
		}
		return new Interval(this.nanoTime, cores, (now != null) ? (Integer) now.threads().size() : null,
				(now != null) ? (Integer) now.sockets() : null, (now != null) ? (Long) now.residentBytes() : null,
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
	 * @param cores CPU time of the gateway per second by what its threads are for, empty
	 * where nobody tells
	 * @param threads its threads at the end
	 * @param sockets its open sockets at the end
	 * @param residentBytes what it has in memory at the end
	 * @param heapUsedBytes heap in use at the end
	 * @param collectionMillis milliseconds per second for which collections stopped it
	 * @param pressure the part in which a thread of the machine waited for a core, 0 to 1
	 */
	record Interval(long nanoTime, Map<ThreadGroup, Double> cores, @Nullable Integer threads, @Nullable Integer sockets,
			@Nullable Long residentBytes, @Nullable Long heapUsedBytes, @Nullable Double collectionMillis,
			@Nullable Double pressure) {

		/**
		 * CPU time of the gateway per second.
		 */
		@Nullable Double allCores() {
			return this.cores.isEmpty() ? null
					: (Double) this.cores.values().stream().mapToDouble(Double::doubleValue).sum();
		}

		/**
		 * CPU time per second of the gateway's threads that are for one thing.
		 */
		@Nullable Double cores(ThreadGroup group) {
			return this.cores.isEmpty() ? null : this.cores.getOrDefault(group, 0.0);
		}

	}

}
