package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongSupplier;

import io.gatewaybench.internal.LastingTask;
import org.jspecify.annotations.Nullable;

/**
 * Ends what takes too long. One thread checks all deadlines many times a second. So a
 * wait costs two writes, and no timer is started and stopped. The meaning of a timeout
 * does not depend on the client library. A deadline strikes up to {@value #TICK_MILLIS}
 * ms late. A standstill of the JVM itself does not count. The thread starts with the
 * first deadline.
 */
public final class DeadlineTimer implements AutoCloseable {

	private static final int TICK_MILLIS = 20;

	/**
	 * A thread that sleeps for so much longer than it asked for was not alone: garbage
	 * was collected, or the machine was held up. More than a scheduler makes wait.
	 */
	private static final long STANDSTILL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long IDLE = Long.MAX_VALUE;

	private static final long UNLIMITED = IDLE - 1;

	private static final long EXPIRED = Long.MIN_VALUE;

	private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();

	private final LongSupplier clock;

	/** Time that is not counted. */
	private volatile long stoodStill;

	private @Nullable Thread thread;

	private volatile boolean started;

	/**
	 * Create a timer.
	 */
	public DeadlineTimer() {
		this(System::nanoTime);
	}

	DeadlineTimer(LongSupplier clock) {
		long origin = clock.getAsLong();
		this.clock = () -> clock.getAsLong() - origin;
	}

	/**
	 * Create the deadline of one exchange.
	 * @param target what to abort once when a timeout strikes
	 * @return the deadline, idle; to be closed
	 */
	public Deadline deadline(Abortable target) {
		Deadline deadline = new Deadline(target);
		this.deadlines.add(deadline);
		if (!this.started) {
			start();
		}
		return deadline;
	}

	private synchronized void start() {
		if (!this.started) {
			Thread starting = new Thread(this::run, "gateway-bench-deadlines");
			starting.setDaemon(true);
			starting.start();
			this.thread = starting;
			this.started = true;
		}
	}

	/**
	 * Nobody is watched over when this thread has ended.
	 */
	private void run() {
		LastingTask ticks = new LastingTask("A timeout", this::tick);
		try {
			while (true) {
				long asleep = System.nanoTime();
				Thread.sleep(TICK_MILLIS);
				slept(System.nanoTime() - asleep);
				ticks.run();
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
	 * Let every timeout strike that is due.
	 */
	void tick() {
		long now = now();
		for (Deadline deadline : this.deadlines) {
			long due = deadline.due;
			if (due != EXPIRED && due <= now && Deadline.DUE.compareAndSet(deadline, due, EXPIRED)) {
				deadline.strike();
			}
		}
	}

	/**
	 * End every wait of this moment, as if its timeout struck.
	 */
	public void expireAll() {
		for (Deadline deadline : this.deadlines) {
			new LastingTask("The end of a wait", deadline::expire).run();
		}
	}

	/**
	 * Number of open deadlines.
	 */
	int size() {
		return this.deadlines.size();
	}

	@Override
	public synchronized void close() {
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	/**
	 * How long one exchange may wait. Any thread may use it.
	 */
	public final class Deadline implements AutoCloseable {

		private static final AtomicLongFieldUpdater<Deadline> DUE = AtomicLongFieldUpdater.newUpdater(Deadline.class,
				"due");

		private final Abortable target;

		private volatile long due = IDLE;

		private volatile boolean struck;

		private Deadline(Abortable target) {
			this.target = target;
		}

		/**
		 * Begin to wait, or begin anew.
		 * @param timeout how long to wait; zero is for ever
		 */
		public void await(Duration timeout) {
			await(next(timeout));
		}

		private void await(long next) {
			long previous = this.due;
			while (previous != EXPIRED && !DUE.compareAndSet(this, previous, next)) {
				previous = this.due;
			}
		}

		private long next(Duration timeout) {
			return timeout.isZero() ? UNLIMITED : now() + timeout.toNanos();
		}

		/**
		 * The wait of this moment, for {@link #replace}.
		 * @return what tells it from others
		 */
		public long current() {
			return this.due;
		}

		/**
		 * Begin to wait anew, unless another wait has begun or ended meanwhile.
		 * @param wait the {@linkplain #current() wait} to replace
		 * @param timeout how long to wait; zero is for ever
		 * @return {@code false} if there is another wait by now, or none
		 */
		public boolean replace(long wait, Duration timeout) {
			return wait == EXPIRED || DUE.compareAndSet(this, wait, next(timeout));
		}

		/**
		 * End to wait.
		 * @return whether it was in time; if not, the target has been aborted
		 */
		public boolean arrived() {
			await(IDLE);
			if (this.due != EXPIRED) {
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
			long current = this.due;
			while (current != IDLE && current != EXPIRED) {
				if (DUE.compareAndSet(this, current, EXPIRED)) {
					strike();
					return true;
				}
				current = this.due;
			}
			return false;
		}

		/**
		 * Whether a timeout struck.
		 * @return whether it did
		 */
		public boolean isExpired() {
			return this.due == EXPIRED;
		}

		private void strike() {
			try {
				this.target.abort();
			}
			finally {
				this.struck = true;
			}
		}

		@Override
		public void close() {
			DeadlineTimer.this.deadlines.remove(this);
		}

	}

}
