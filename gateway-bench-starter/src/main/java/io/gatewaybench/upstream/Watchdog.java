package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends what takes too long. One thread looks over all that is being waited for, many
 * times a second: to wait is then two writes and no timer to start and stop, and the
 * meaning of a timeout does not depend on the client library. It strikes up to
 * {@value #TICK_MILLIS} ms late, and a standstill of the JVM itself does not count. The
 * thread starts with the first watch.
 *
 * @since 0.1.0
 */
public final class Watchdog implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Watchdog.class);

	private static final int TICK_MILLIS = 20;

	/**
	 * A thread that sleeps for so much longer than it asked for was not alone: garbage
	 * was collected, or the machine was held up. More than a scheduler makes wait.
	 */
	private static final long STANDSTILL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long IDLE = Long.MAX_VALUE;

	private static final long UNLIMITED = IDLE - 1;

	private static final long EXPIRED = Long.MIN_VALUE;

	private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

	private final LongSupplier clock;

	/** Time that is not counted. */
	private volatile long stoodStill;

	private @Nullable Thread thread;

	private volatile boolean started;

	/**
	 * Create a watchdog.
	 */
	public Watchdog() {
		this(System::nanoTime);
	}

	Watchdog(LongSupplier clock) {
		long origin = clock.getAsLong();
		this.clock = () -> clock.getAsLong() - origin;
	}

	/**
	 * Watch over one exchange.
	 * @param expiry what to do once when a timeout strikes, called by the thread of the
	 * watchdog, so it must not block
	 * @return the watch, idle; to be closed
	 */
	public Watch watch(Runnable expiry) {
		Watch watch = new Watch(expiry);
		this.watches.add(watch);
		if (!this.started) {
			start();
		}
		return watch;
	}

	private synchronized void start() {
		if (!this.started) {
			Thread starting = new Thread(this::run, "gateway-bench-watchdog");
			starting.setDaemon(true);
			starting.start();
			this.thread = starting;
			this.started = true;
		}
	}

	private void run() {
		try {
			while (true) {
				long asleep = System.nanoTime();
				Thread.sleep(TICK_MILLIS);
				slept(System.nanoTime() - asleep);
				tryTick();
			}
		}
		catch (InterruptedException ex) {
			// Closed
		}
	}

	/**
	 * What upstreams sent during a standstill of the gateway itself is yet to be read, so
	 * it is no time of theirs.
	 */
	void slept(long nanos) {
		if (nanos > STANDSTILL_NANOS) {
			this.stoodStill += nanos;
		}
	}

	private long now() {
		return this.clock.getAsLong() - this.stoodStill;
	}

	/**
	 * Nobody is watched over when this thread has ended, so nothing may end it.
	 */
	private void tryTick() {
		try {
			tick();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A timeout could not be acted upon", ex);
		}
	}

	/**
	 * Let every timeout strike that is due.
	 */
	void tick() {
		long now = now();
		for (Watch watch : this.watches) {
			long deadline = watch.deadline.get();
			if (deadline != EXPIRED && deadline <= now && watch.deadline.compareAndSet(deadline, EXPIRED)) {
				watch.strike();
			}
		}
	}

	/**
	 * Number of exchanges under watch.
	 */
	int size() {
		return this.watches.size();
	}

	@Override
	public synchronized void close() {
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	/**
	 * Watch over one exchange. Any thread may use it.
	 */
	public final class Watch implements AutoCloseable {

		private final AtomicLong deadline = new AtomicLong(IDLE);

		private final Runnable expiry;

		private volatile boolean struck;

		private Watch(Runnable expiry) {
			this.expiry = expiry;
		}

		/**
		 * Begin to wait, or begin anew.
		 * @param timeout how long to wait; zero is for ever
		 */
		public void await(Duration timeout) {
			await(timeout.isZero() ? UNLIMITED : now() + timeout.toNanos());
		}

		private void await(long next) {
			long previous = this.deadline.get();
			while (previous != EXPIRED && !this.deadline.compareAndSet(previous, next)) {
				previous = this.deadline.get();
			}
		}

		/**
		 * End to wait.
		 * @return whether it was in time; if not, the expiry has run
		 */
		public boolean arrived() {
			await(IDLE);
			if (this.deadline.get() != EXPIRED) {
				return true;
			}
			while (!this.struck) {
				Thread.yield();
			}
			return false;
		}

		/**
		 * End the wait at once, as if a timeout struck. Nothing happens if there is none.
		 * @return whether there was one
		 */
		public boolean expire() {
			long current = this.deadline.get();
			while (current != IDLE && current != EXPIRED) {
				if (this.deadline.compareAndSet(current, EXPIRED)) {
					strike();
					return true;
				}
				current = this.deadline.get();
			}
			return false;
		}

		/**
		 * Whether a timeout struck.
		 * @return whether it did
		 */
		public boolean isExpired() {
			return this.deadline.get() == EXPIRED;
		}

		private void strike() {
			try {
				this.expiry.run();
			}
			finally {
				this.struck = true;
			}
		}

		@Override
		public void close() {
			Watchdog.this.watches.remove(this);
		}

	}

}
