package io.gatewaybench.benchmark.load;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.netty.channel.EventLoop;

/**
 * Runs tasks on the event loop. A task that throws fails the run, where the event loop
 * alone would forget the exception and leave the run waiting.
 */
final class Timers {

	private final EventLoop loop;

	private final Consumer<Throwable> failure;

	Timers(EventLoop loop, Consumer<Throwable> failure) {
		this.loop = loop;
		this.failure = failure;
	}

	void soon(Runnable task) {
		this.loop.execute(guarded(task));
	}

	Future<?> after(long nanos, Runnable task) {
		return this.loop.schedule(guarded(task), nanos, TimeUnit.NANOSECONDS);
	}

	Future<?> every(long nanos, Runnable task) {
		return this.loop.scheduleAtFixedRate(guarded(task), nanos, nanos, TimeUnit.NANOSECONDS);
	}

	void now(Runnable task) {
		guarded(task).run();
	}

	void failed(Throwable cause) {
		this.failure.accept(cause);
	}

	private Runnable guarded(Runnable task) {
		return () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				this.failure.accept(ex);
			}
		};
	}

}
