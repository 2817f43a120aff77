package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Looks at one process every second. It costs less than a {@link ProcessSnapshot#take},
 * as the file of each thread stays open, and as it asks neither for waits and switches
 * nor for what each file descriptor is.
 */
final class ProcessWatch implements AutoCloseable {

	private static final int LINE_BYTES = 1024;

	private static final String SCHEDSTAT = "schedstat";

	private final ProcFiles proc;

	private final String pid;

	private final String file;

	private final int otherDescriptors;

	private final Map<String, Thread> threads = new HashMap<>();

	private final ByteBuffer line = ByteBuffer.allocateDirect(LINE_BYTES);

	ProcessWatch(ProcFiles proc, long pid) {
		this.proc = proc;
		this.pid = Long.toString(pid);
		// Exact, and read in a quarter of the time. Some kernels have it without figures
		this.file = proc.lines(this.pid, SCHEDSTAT).stream().anyMatch((times) -> !times.startsWith("0 ")) ? SCHEDSTAT
				: "stat";
		this.otherDescriptors = proc.descriptors(pid) - proc.sockets(pid);
	}

	/**
	 * Looks at the process.
	 * @return what it is at, {@code null} if it is gone
	 */
	@Nullable Snapshot take() {
		Stat total = Stat.parse(this.proc.lines(this.pid, "stat"));
		if (total == null) {
			return null;
		}
		Set<String> alive = new HashSet<>(this.proc.names(this.pid, "task"));
		this.threads.entrySet().removeIf((thread) -> !alive.contains(thread.getKey()) && thread.getValue().close());
		Map<String, ThreadTime> times = new HashMap<>();
		for (String thread : alive) {
			ThreadTime time = time(thread);
			if (time != null) {
				times.put(thread, time);
			}
		}
		return new Snapshot(seconds(total), times,
				Stat.statusNumber(this.proc.lines(this.pid, "status"), "VmRSS") * 1024,
				Math.max(0, this.proc.descriptors(Long.parseLong(this.pid)) - this.otherDescriptors));
	}

	private @Nullable ThreadTime time(String id) {
		try {
			Thread thread = this.threads.get(id);
			if (thread == null) {
				Stat stat = Stat.parse(this.proc.lines(this.pid, "task", id, "stat"));
				if (stat == null) {
					return null;
				}
				thread = new Thread(ThreadGroup.of(stat.name()), this.proc.open(this.pid, "task", id, this.file));
				this.threads.put(id, thread);
			}
			this.line.clear();
			thread.file().read(this.line, 0);
			String text = StandardCharsets.ISO_8859_1.decode(this.line.flip()).toString();
			return new ThreadTime(thread.group(), seconds(text));
		}
		catch (IOException ex) {
			// It ended just now. The next look closes its file
			return null;
		}
	}

	private double seconds(String line) {
		if (this.file.equals(SCHEDSTAT)) {
			return Long.parseLong(line, 0, line.indexOf(' '), 10) / 1e9;
		}
		Stat stat = Stat.parse(List.of(line));
		return (stat != null) ? seconds(stat) : 0;
	}

	private static double seconds(Stat stat) {
		return (stat.userTicks() + stat.systemTicks()) / Stat.TICKS_PER_SECOND;
	}

	@Override
	public void close() {
		this.threads.values().forEach(Thread::close);
		this.threads.clear();
	}

	/**
	 * A thread, and the file that tells its CPU time.
	 */
	private record Thread(ThreadGroup group, FileChannel file) {

		boolean close() {
			try {
				this.file.close();
			}
			catch (IOException ex) {
				// Nothing was written
			}
			return true;
		}

	}

	/**
	 * The CPU time of a thread since it began.
	 */
	record ThreadTime(ThreadGroup group, double seconds) {
	}

	/**
	 * What was seen at one moment.
	 *
	 * @param cpuSeconds user and system time of all threads, also those that ended, to 10
	 * ms
	 * @param threads the threads, by id
	 * @param residentBytes what is in memory
	 * @param sockets the file descriptors without as many as were no sockets when the
	 * watch began
	 */
	record Snapshot(double cpuSeconds, Map<String, ThreadTime> threads, long residentBytes, int sockets) {

		Snapshot plus(Snapshot other) {
			Map<String, ThreadTime> all = new HashMap<>(this.threads);
			all.putAll(other.threads);
			return new Snapshot(this.cpuSeconds + other.cpuSeconds, all, this.residentBytes + other.residentBytes,
					this.sockets + other.sockets);
		}

		/**
		 * The CPU time between two looks by what threads are for.
		 * @param earlier the first look
		 * @return seconds; what no thread that is still there had is that of
		 * {@link ThreadGroup#ENDED}
		 */
		Map<ThreadGroup, Double> cpuSince(Snapshot earlier) {
			Map<ThreadGroup, Double> groups = new EnumMap<>(ThreadGroup.class);
			double known = 0;
			for (Map.Entry<String, ThreadTime> thread : this.threads.entrySet()) {
				ThreadTime before = earlier.threads.get(thread.getKey());
				double seconds = thread.getValue().seconds() - ((before != null) ? before.seconds() : 0);
				groups.merge(thread.getValue().group(), seconds, Double::sum);
				known += seconds;
			}
			// Less may be what the time of the process is rounded by
			double ended = this.cpuSeconds - earlier.cpuSeconds - known;
			groups.put(ThreadGroup.ENDED, (ended > 2 / Stat.TICKS_PER_SECOND) ? ended : 0);
			return groups;
		}

	}

}
