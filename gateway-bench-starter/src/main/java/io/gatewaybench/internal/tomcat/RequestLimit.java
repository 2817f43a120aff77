package io.gatewaybench.internal.tomcat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets requests wait while the scheduler of virtual threads falls behind. Without it,
 * every new request delays those that have begun, until they run into their timeouts. A
 * gateway that has once fallen behind stays behind, and takes its instances for silent.
 *
 * <p>
 * Up to a number of requests start at once, as with platform threads. Beyond it, one
 * starts each time that the scheduler gets to a new virtual thread. So many requests can
 * wait for slow upstreams, as long as the processors keep up and there is memory.
 */
final class RequestLimit implements Executor {

	private final Executor threads;

	private final int limit;

	private final int most;

	private final AtomicInteger running = new AtomicInteger();

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean turn = new AtomicBoolean();

	/**
	 * Create the limit.
	 * @param threads starts a virtual thread for each task
	 * @param limit how many tasks start whatever the scheduler does
	 * @param most how many tasks there is memory for
	 */
	RequestLimit(Executor threads, int limit, int most) {
		this.threads = threads;
		this.limit = Math.min(limit, most);
		this.most = most;
	}

	@Override
	public void execute(Runnable task) {
		if (this.waiting.isEmpty() && acquire(this.limit)) {
			start(task);
			return;
		}
		this.waiting.add(task);
		// Without it, nothing would start the task if the last one has ended meanwhile
		startWaiting();
		takeTurn();
	}

	private boolean acquire(int places) {
		int current = this.running.get();
		while (current < places) {
			if (this.running.compareAndSet(current, current + 1)) {
				return true;
			}
			current = this.running.get();
		}
		return false;
	}

	/**
	 * Without memory for a thread, the place goes to another task.
	 */
	private void start(Runnable task) {
		try {
			this.threads.execute(() -> {
				try {
					task.run();
				}
				finally {
					this.running.decrementAndGet();
					startWaiting();
					takeTurn();
				}
			});
		}
		catch (RuntimeException | Error ex) {
			this.running.decrementAndGet();
			throw ex;
		}
	}

	private void startWaiting() {
		while (!this.waiting.isEmpty() && acquire(this.limit)) {
			startNext();
		}
	}

	/**
	 * Start the next task in the place that has been acquired, or give the place back.
	 */
	private void startNext() {
		Runnable next = this.waiting.poll();
		if (next != null) {
			try {
				start(next);
			}
			catch (RuntimeException | Error ex) {
				this.waiting.add(next);
				throw ex;
			}
		}
		else {
			this.running.decrementAndGet();
		}
	}

	/**
	 * One task for each turn of the scheduler: thousands a second while it is idle, and
	 * few while it is busy. Without memory for one more, the next turn comes when a task
	 * ends.
	 */
	private void takeTurn() {
		if (!this.waiting.isEmpty() && this.running.get() < this.most && this.turn.compareAndSet(false, true)) {
			try {
				this.threads.execute(() -> {
					try {
						if (acquire(this.most)) {
							startNext();
						}
					}
					finally {
						this.turn.set(false);
					}
					takeTurn();
				});
			}
			catch (RuntimeException | Error ex) {
				this.turn.set(false);
				throw ex;
			}
		}
	}

}
