package io.gatewaybench.benchmark.observe;

/**
 * What a JVM tells about itself.
 *
 * @param allocatedBytes memory its threads have allocated since it began, virtual threads
 * by their carriers
 * @param heapUsedBytes heap in use, garbage included
 * @param heapCommittedBytes heap it has from the operating system
 * @param collections garbage collections since it began
 * @param collectionMillis time they took
 * @param threads its platform threads
 * @param peakThreads the most it had
 */
public record JvmSnapshot(long allocatedBytes, long heapUsedBytes, long heapCommittedBytes, long collections,
		long collectionMillis, int threads, int peakThreads) {

	/**
	 * What happened between two looks.
	 * @param earlier the first look
	 * @return the difference; heap and threads as they are at the second look
	 */
	public JvmUse since(JvmSnapshot earlier) {
		return new JvmUse(this.allocatedBytes - earlier.allocatedBytes, this.heapUsedBytes, this.heapCommittedBytes,
				this.collections - earlier.collections, this.collectionMillis - earlier.collectionMillis, this.threads,
				this.peakThreads);
	}

}
