package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into an interruption of the running thread, and holds the JVM
 * until that thread has cleaned up.
 */
public final class Interruption implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	private final Thread runner = Thread.currentThread();

	private final CountDownLatch finished = new CountDownLatch(1);

	private final Thread hook = new Thread(this::interrupt, "interruption");

	private volatile boolean requested;

	/**
	 * Watches for signals from now on, on behalf of the current thread.
	 */
	public Interruption() {
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	/**
	 * Whether there was a signal.
	 * @return {@code true} once the JVM is asked to end
	 */
	public boolean requested() {
		return this.requested;
	}

	private void interrupt() {
		this.requested = true;
		this.runner.interrupt();
		try {
			this.finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Lets the JVM end.
	 */
	@Override
	public void close() {
		this.finished.countDown();
		if (!this.requested) {
			try {
				Runtime.getRuntime().removeShutdownHook(this.hook);
			}
			catch (IllegalStateException ignored) {
				// The JVM began to shut down a moment ago; the hook returns at once
			}
		}
	}

}
