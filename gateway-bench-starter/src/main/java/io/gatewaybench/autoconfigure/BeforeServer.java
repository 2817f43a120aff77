package io.gatewaybench.autoconfigure;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Runs for as long as the gateway takes requests: started before the web server, and
 * stopped after it.
 */
final class BeforeServer implements SmartLifecycle {

	private final int steps;

	private final Supplier<? extends @Nullable Runnable> starter;

	private volatile @Nullable Runnable stopper;

	/**
	 * What is to run.
	 * @param steps how many phases before the server, at least 1
	 * @param starter starts it, and gives what stops it; gives {@code null} if there is
	 * nothing to run
	 */
	BeforeServer(int steps, Supplier<? extends @Nullable Runnable> starter) {
		this.steps = steps;
		this.starter = starter;
	}

	@Override
	public void start() {
		this.stopper = this.starter.get();
	}

	@Override
	public void stop() {
		Runnable running = this.stopper;
		this.stopper = null;
		if (running != null) {
			running.run();
		}
	}

	@Override
	public boolean isRunning() {
		return this.stopper != null;
	}

	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - this.steps;
	}

}
