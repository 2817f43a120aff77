package io.gatewaybench.benchmark.faults;

/**
 * What a gateway counted about one instance since its start.
 *
 * @param ejections how often it did without it
 * @param recoveries how often it took it back
 */
record Rotation(long ejections, long recoveries) {

	boolean isOut() {
		return this.ejections > this.recoveries;
	}

}
