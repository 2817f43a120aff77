package io.gatewaybench.benchmark.engine;

/**
 * Is told what happens while a plan runs.
 */
@FunctionalInterface
public interface ProgressListener {

	/**
	 * Called in order, by the thread that called
	 * {@link LoadEngine#run(io.gatewaybench.benchmark.plan.LoadPlan, ProgressListener)}.
	 * @param event what happened
	 */
	void on(ProgressEvent event);

}
