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
	 * Asked after every event whether what was sent is enough; if so, the dispensable
	 * stages that come next are left out, except one that has begun.
	 * @return {@code true} to go on to the next stage that is not dispensable
	 */
	default boolean enough() {
		return false;
	}

}
