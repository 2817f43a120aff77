package io.gatewaybench.benchmark.faults;

/**
 * What a gateway counted about one instance, or about all, since its start.
 *
 * @param at when it was asked, by {@link System#nanoTime()}
 * @param ejections how often it did without one
 * @param recoveries how often it took one back
 */
record Rotation(long at, long ejections, long recoveries) {

	/**
	 * Whether one is out that was not before.
	 * @param before what was counted before
	 */
	boolean isOutSince(Rotation before) {
		return this.ejections - before.ejections > this.recoveries - before.recoveries;
	}

	boolean countsAs(Rotation other) {
		return this.ejections == other.ejections && this.recoveries == other.recoveries;
	}

}
