package io.gatewaybench.benchmark.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Looks at the gateway and at the machine in each second of a measurement, in a thread of
 * its own. It only reads files: no code runs in the gateway, and nothing that it needs is
 * locked for longer than the kernel takes to write a line.
 */
public final class SecondSampler implements AutoCloseable {

	private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private final List<Long> pids;

	private volatile @Nullable Sampling sampling;

	/**
	 * What looks at a gateway. Nothing happens before {@link #start()}.
	 * @param pids its process ids, none if it has no process here: then only the machine
	 * is looked at
	 */
	public SecondSampler(List<Long> pids) {
		this.pids = List.copyOf(pids);
	}

	/**
	 * A measurement begins. What the gateway has started until now, such as the workers
	 * of nginx, is looked at as well.
	 */
	public void start() {
		close();
		Sampling started = new Sampling(this.pids);
		this.sampling = started;
		started.begin();
	}

	/**
	 * The generator says how far the measurement is, so that seconds here begin with its
	 * seconds, and not with the opening of its connections.
	 * @param seconds how many seconds of the measurement are over
	 */
	public void over(int seconds) {
		Sampling current = this.sampling;
		if (current != null) {
			current.over(seconds);
		}
	}

	/**
	 * CPU time of the gateway in the last second that was looked at.
	 * @return seconds of CPU time per second; {@code null} without a process, before the
	 * first second is over, and while nothing is measured
	 */
	public @Nullable Double cores() {
		Sampling current = this.sampling;
		return (current != null) ? current.cores : null;
	}

	/**
	 * The measurement is over.
	 * @return what was seen since it began, {@code null} if that is not a single second
	 */
	public @Nullable ResourceSeries stop() {
		Sampling ended = this.sampling;
		this.sampling = null;
		return (ended != null) ? ended.end() : null;
	}

	@Override
	public void close() {
		stop();
	}

	/**
	 * One measurement.
	 */
	private static final class Sampling {

		private final List<ProcessWatch> processes;

		private final @Nullable PerfData jvm;

		private final List<SecondSnapshot.Interval> intervals = new ArrayList<>();

		private final CountDownLatch end = new CountDownLatch(1);

		private final Thread thread = Thread.ofPlatform().daemon().name("second-sampler").unstarted(this::run);

		private @Nullable SecondSnapshot last;

		private boolean startKnown;

		private volatile long start;

		private volatile @Nullable Double cores;

		Sampling(List<Long> pids) {
			// Now only, as descendants cost a look at every process of the machine
			List<Long> all = pids.stream()
				.flatMap((pid) -> Stream.concat(Stream.of(pid),
						ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid)))
				.toList();
			this.processes = all.stream().map((pid) -> new ProcessWatch(ProcFiles.SYSTEM, pid)).toList();
			this.jvm = all.stream().map(PerfData::ofProcess).filter(Objects::nonNull).findFirst().orElse(null);
		}

		void begin() {
			this.start = look().nanoTime();
			this.thread.start();
		}

		void over(int seconds) {
			long begun = System.nanoTime() - seconds * NANOS_PER_SECOND;
			// It may be told late, but never early
			this.start = this.startKnown ? Math.min(this.start, begun) : Math.max(this.start, begun);
			this.startKnown = true;
		}

		private void run() {
			try {
				SecondSnapshot seen = Objects.requireNonNull(this.last);
				while (!this.end.await(untilNext(seen), TimeUnit.NANOSECONDS)) {
					seen = look();
				}
			}
			catch (InterruptedException ex) {
				// No code interrupts this thread. What was seen until now counts
			}
		}

		/**
		 * The time until the next second is over, but not less than half a second: an
		 * early look would follow a late one.
		 */
		private long untilNext(SecondSnapshot seen) {
			long begun = this.start;
			long seconds = Math.round((seen.nanoTime() - begun) / (double) NANOS_PER_SECOND);
			return begun + (seconds + 1) * NANOS_PER_SECOND - System.nanoTime();
		}

		private SecondSnapshot look() {
			ProcessWatch.Snapshot process = this.processes.stream()
				.map(ProcessWatch::take)
				.filter(Objects::nonNull)
				.reduce(ProcessWatch.Snapshot::plus)
				.orElse(null);
			// The counters of a JVM that is gone can still be read
			PerfData.Heap heap = (process != null && this.jvm != null) ? this.jvm.read() : null;
			SecondSnapshot now = new SecondSnapshot(System.nanoTime(), process, heap, MachineSnapshot.take());
			if (this.last != null) {
				SecondSnapshot.Interval interval = now.since(this.last);
				this.intervals.add(interval);
				this.cores = interval.allCores();
			}
			this.last = now;
			return now;
		}

		@Nullable ResourceSeries end() {
			this.end.countDown();
			join();
			try {
				// The last second ends with the measurement, and it may be cut short
				if (this.last != null && System.nanoTime() - this.last.nanoTime() > NANOS_PER_SECOND / 2) {
					look();
				}
			}
			finally {
				this.processes.forEach(ProcessWatch::close);
				if (this.jvm != null) {
					this.jvm.close();
				}
			}
			return ResourceSeries.of(this.intervals, this.start);
		}

		/**
		 * Waits for the thread, which is at most in the middle of a look.
		 */
		private void join() {
			boolean interrupted = false;
			while (this.thread.isAlive()) {
				try {
					this.thread.join();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
