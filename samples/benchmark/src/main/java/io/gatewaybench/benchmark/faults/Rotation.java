package io.gatewaybench.benchmark.faults;

/**
 * What a gateway counted about one instance, or about all, since its start.
 *
 * @param ejections how often it did without one
 * @param recoveries how often it took one back
 */
record Rotation(long ejections, long recoveries) {

	/**
	 * Whether one is out that was not before.
	 * @param before what was counted before
	 */
	boolean isOutSince(Rotation before) {
		return this.ejections - before.ejections > this.recoveries - before.recoveries;
	}

}
