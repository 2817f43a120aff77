package io.gatewaybench.sim;

/**
 * Draws the delays of one endpoint.
 *
 * @param latency how they are distributed
 * @param random what they are drawn from
 * @param factor how many times as long they are
 */
record Delays(LatencyDistribution latency, SeededRandom random, int factor) {

	private static final double NANOS_PER_MILLI = 1_000_000;

	/**
	 * Returns the delay of the next request in nanoseconds.
	 */
	long next() {
		return this.factor * Math.round(this.latency.sample(this.random) * NANOS_PER_MILLI);
	}

	Delays times(int more) {
		return new Delays(this.latency, this.random, this.factor * more);
	}

}
