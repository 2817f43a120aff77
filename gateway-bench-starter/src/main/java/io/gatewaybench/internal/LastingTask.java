package io.gatewaybench.internal;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What a thread of the starter does again and again, and must not end of an error: a JVM
 * may be without memory for a moment, and nobody would start the thread anew.
 */
public final class LastingTask implements Runnable {

	private static final Log logger = LogFactory.getLog(LastingTask.class);

	private final String name;

	private final Runnable task;

	private boolean told;

	/**
	 * Create a task.
	 * @param name what it is, for the log
	 * @param task what to do each time, in one thread at a time
	 */
	public LastingTask(String name, Runnable task) {
		this.name = name;
		this.task = task;
	}

	/**
	 * Do it once. What it throws is logged the first time.
	 */
	@Override
	public void run() {
		try {
			this.task.run();
		}
		catch (RuntimeException | Error ex) {
			tell(ex);
		}
	}

	/**
	 * To log takes memory as well. If there is none, the next failure is told.
	 */
	private void tell(Throwable failure) {
		try {
			if (!this.told) {
				logger.error(this.name + " failed. It goes on. Further failures are not logged", failure);
				this.told = true;
			}
		}
		catch (RuntimeException | Error ex) {
			// The task is worth more than the message
		}
	}

}
