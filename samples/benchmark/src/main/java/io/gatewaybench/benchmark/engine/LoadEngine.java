package io.gatewaybench.benchmark.engine;

import io.gatewaybench.benchmark.plan.LoadPlan;

/**
 * Something that can send a plan.
 */
public interface LoadEngine {

	/**
	 * The name of the engine in results.
	 * @return the name
	 */
	String name();

	/**
	 * Sends the plan and waits for the end. If the calling thread is interrupted, the run
	 * ends within a second, what was measured so far is returned with
	 * {@link LoadResult#complete()} false, and the thread's interrupt status is set
	 * again. If the listener has {@linkplain ProgressListener#enough() enough}, it ends
	 * in the same way, without the interrupt status.
	 * @param plan what to send
	 * @param progress told what happens, in the calling thread
	 * @return what was measured
	 * @throws InterruptedException if the thread was interrupted and nothing that was
	 * measured could be saved
	 * @throws LoadEngineException if the engine itself failed; a target that fails is a
	 * result
	 */
	LoadResult run(LoadPlan plan, ProgressListener progress) throws InterruptedException;

}
