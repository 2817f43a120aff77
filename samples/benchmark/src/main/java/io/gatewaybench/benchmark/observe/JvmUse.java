package io.gatewaybench.benchmark.observe;

/**
 * What a JVM told about a measurement.
 *
 * @param allocatedBytes memory its threads allocated, virtual threads by their carriers
 * @param heapUsedBytes heap in use at the end, garbage included
 * @param heapCommittedBytes heap it had from the operating system at the end
 * @param collections garbage collections
 * @param collectionMillis time they took
 * @param threads its platform threads at the end
 * @param peakThreads the most it had since its start
 */
public record JvmUse(long allocatedBytes, long heapUsedBytes, long heapCommittedBytes, long collections,
		long collectionMillis, int threads, int peakThreads) {

	/**
	 * What was used between two looks.
	 * @param earlier the first look
	 * @return the difference of what is counted
	 */
	public JvmUse since(JvmUse earlier) {
		return new JvmUse(this.allocatedBytes - earlier.allocatedBytes, this.heapUsedBytes, this.heapCommittedBytes,
				this.collections - earlier.collections, this.collectionMillis - earlier.collectionMillis, this.threads,
				this.peakThreads);
	}

	/**
	 * Both together, where this was told first.
	 * @param next what was told later
	 * @return the sum; heap and threads as they are at the end
	 */
	public JvmUse then(JvmUse next) {
		return new JvmUse(this.allocatedBytes + next.allocatedBytes, next.heapUsedBytes, next.heapCommittedBytes,
				this.collections + next.collections, this.collectionMillis + next.collectionMillis, next.threads,
				next.peakThreads);
	}

}
