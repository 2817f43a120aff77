package io.gatewaybench.benchmark.load;

/**
 * The requests of one stage.
 */
interface StageTraffic extends Traffic {

	/**
	 * Starts to send.
	 */
	void start();

	/**
	 * Starts no further request, and tells when those that are under way are over.
	 * @param whenOver run once, as soon as nothing is under way
	 */
	void end(Runnable whenOver);

	/**
	 * Records every request that waits for a connection as aborted.
	 * @param reason why
	 */
	void abandon(String reason);

}
