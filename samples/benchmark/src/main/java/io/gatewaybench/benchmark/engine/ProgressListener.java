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

	/**
	 * Asked after every event whether the target is warm; if so, what is still to come
	 * before the next stage that is measured is left out, except a stage that has begun.
	 * @return {@code true} to go on to the next measurement
	 */
	default boolean warm() {
		return false;
	}

}
