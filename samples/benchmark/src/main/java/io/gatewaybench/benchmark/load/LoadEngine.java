package io.gatewaybench.benchmark.load;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Something that can send requests.
 */
@FunctionalInterface
public interface LoadEngine {

	/**
	 * Gets ready to send, and sends nothing yet.
	 * @param plan what is sent, and to whom
	 * @return the session, to be closed
	 * @throws InterruptedException if the thread was interrupted
	 * @throws BenchFailure if the engine can't start, or can't send this workload
	 */
	LoadSession open(LoadPlan plan) throws InterruptedException;

}
