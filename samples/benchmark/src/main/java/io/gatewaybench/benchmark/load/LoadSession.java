package io.gatewaybench.benchmark.load;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * An engine that is ready to send to one target, stage after stage. Connections stay open
 * from one stage to the next. Used by one thread at a time.
 */
public interface LoadSession extends AutoCloseable {

	/**
	 * The process that sends.
	 * @return its id
	 */
	long pid();

	/**
	 * Sends a stage, and waits until it is over and no request is under way. If the
	 * calling thread is interrupted, the stage ends within a second. What was measured is
	 * returned with {@link StageResult#complete()} false, and the thread's interrupt
	 * status is set again. After that, and after any exception, the session takes no
	 * further stage.
	 * @param stage what to send
	 * @return what was measured
	 * @throws InterruptedException if the thread was interrupted and nothing that was
	 * measured could be saved
	 * @throws IllegalArgumentException if the stage does not fit the workload
	 * @throws BenchFailure if the engine itself failed, or the session takes no further
	 * stage; a target that fails is a result
	 */
	StageResult run(Stage stage) throws InterruptedException;

	/**
	 * Ends the process, if there is one, closes the connections and writes the files. To
	 * close it again does nothing.
	 */
	@Override
	void close();

}
