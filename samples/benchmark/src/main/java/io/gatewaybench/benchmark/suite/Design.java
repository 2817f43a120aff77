package io.gatewaybench.benchmark.suite;

/**
 * How the variants of a run are set against each other.
 */
public enum Design {

	/**
	 * Every block starts a fresh gateway for every variant. Covers what differs from one
	 * start of a JVM to the next, and takes a warm-up for every figure.
	 */
	FRESH,

	/**
	 * Gateways stay from block to block, and take turns.
	 */
	TURNS,

	/**
	 * Gateways stay from block to block, and each one runs at the same time as the one
	 * that it is compared with. So what the machine does happens to both at the same
	 * moment (Bulej, Horký, Tůma, Farquet and Prokopec, "Duet benchmarking", 2020).
	 * Throughput and latency are those of two gateways that share the machine.
	 */
	DUETS;

	/**
	 * Whether gateways stay from block to block.
	 * @return whether a start serves more than one block
	 */
	public boolean isResident() {
		return this != FRESH;
	}

}
