package io.gatewaybench.benchmark.observe;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.ProcessUse.GroupUse;
import org.jspecify.annotations.Nullable;

/**
 * What a process has used since it began.
 *
 * @param total user and system time of all its threads, also those that ended
 * @param threads its threads, by id
 * @param residentBytes what it has in memory
 * @param sockets its open sockets
 */
public record ProcessSnapshot(Stat total, Map<String, ThreadSnapshot> threads, long residentBytes, int sockets) {

	private static final double NANOS_PER_SECOND = 1e9;

	/**
	 * Looks at processes and all that they started, such as the workers of nginx.
	 * @param pids their ids
	 * @return the snapshot of all together, {@code null} if none of them is there or the
	 * platform has no {@code /proc}
	 */
	public static @Nullable ProcessSnapshot takeAll(Collection<Long> pids) {
		return pids.stream()
			.flatMap((pid) -> Stream.concat(Stream.of(pid),
					ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid)))
			.map(ProcessSnapshot::take)
			.filter(Objects::nonNull)
			.reduce(ProcessSnapshot::plus)
			.orElse(null);
	}

	/**
	 * Both together.
	 * @param other of other processes
	 * @return the sum
	 */
	public ProcessSnapshot plus(ProcessSnapshot other) {
		Map<String, ThreadSnapshot> all = new HashMap<>(this.threads);
		all.putAll(other.threads);
		return new ProcessSnapshot(this.total.plus(other.total), all, this.residentBytes + other.residentBytes,
				this.sockets + other.sockets);
	}

	/**
	 * Looks at a process.
	 * @param pid its id
	 * @return the snapshot, {@code null} if it is gone or the platform has no
	 * {@code /proc}
	 */
	public static @Nullable ProcessSnapshot take(long pid) {
		return take(ProcFiles.SYSTEM, pid);
	}

	/**
	 * What has to run on another host, so that {@link #parse} can look at a process there
	 * and at all that it started.
	 * @param pid its id there
	 * @return a script for a POSIX shell
	 */
	public static String script(long pid) {
		return """
				next=%d
				while [ -n "$next" ]; do
					started=
					for pid in $next; do
						grep -H '' /proc/$pid/stat /proc/$pid/status /proc/$pid/task/*/stat /proc/$pid/task/*/status \\
							/proc/$pid/task/*/schedstat 2> /dev/null
						ls -l /proc/$pid/fd 2> /dev/null | sed -n "s|.*/*\\(socket:\\)|/proc/$pid/fd/:\\1|p"
						started="$started $(cat /proc/$pid/task/*/children 2> /dev/null)"
					done
					next=$(echo $started)
				done
				""".formatted(pid);
	}

	/**
	 * Looks at a process of another host and at all that it started.
	 * @param host the host, as threads of several hosts may have the same id
	 * @param printed what the script printed there
	 * @return the snapshot of all together, {@code null} if it is gone
	 */
	public static @Nullable ProcessSnapshot parse(String host, String printed) {
		ProcDump dump = ProcDump.parse(printed);
		return dump.names()
			.stream()
			.map((pid) -> take(dump, Long.parseLong(pid)))
			.filter(Objects::nonNull)
			.reduce(ProcessSnapshot::plus)
			.map((all) -> all.on(host))
			.orElse(null);
	}

	private ProcessSnapshot on(String host) {
		Map<String, ThreadSnapshot> named = new HashMap<>();
		this.threads.forEach((id, thread) -> named.put(host + "/" + id, thread));
		return new ProcessSnapshot(this.total, named, this.residentBytes, this.sockets);
	}

	static @Nullable ProcessSnapshot take(ProcSource proc, long pid) {
		String process = Long.toString(pid);
		Stat total = Stat.parse(proc.lines(process, "stat"));
		if (total == null) {
			return null;
		}
		Map<String, ThreadSnapshot> threads = new HashMap<>();
		for (String thread : proc.names(process, "task")) {
			Stat stat = Stat.parse(proc.lines(process, "task", thread, "stat"));
			if (stat != null) {
				threads.put(thread, ThreadSnapshot.of(stat, proc.lines(process, "task", thread, "schedstat"),
						proc.lines(process, "task", thread, "status")));
			}
		}
		List<String> status = proc.lines(process, "status");
		return new ProcessSnapshot(total, threads, Stat.statusNumber(status, "VmRSS") * 1024, proc.sockets(pid));
	}

	/**
	 * The cores a process may run on.
	 * @param pid its id
	 * @return such as {@code 0-1}, empty if it is gone or the platform has no
	 * {@code /proc}
	 */
	public static String affinity(long pid) {
		return Stat.statusText(ProcFiles.SYSTEM.lines(Long.toString(pid), "status"), "Cpus_allowed_list");
	}

	/**
	 * What was used between two looks.
	 * @param earlier the first look
	 * @return the difference; memory, threads and sockets as they are at the second look
	 */
	public ProcessUse since(ProcessSnapshot earlier) {
		Map<ThreadGroup, GroupUse> groups = new EnumMap<>(ThreadGroup.class);
		long ticks = 0;
		long wait = 0;
		long switches = 0;
		long preemptions = 0;
		for (Map.Entry<String, ThreadSnapshot> entry : this.threads.entrySet()) {
			ThreadSnapshot use = entry.getValue()
				.since(earlier.threads.getOrDefault(entry.getKey(), ThreadSnapshot.NONE));
			groups.merge(use.group(),
					new GroupUse(1, use.userSeconds(), use.systemSeconds(), use.waitNanos() / NANOS_PER_SECOND),
					GroupUse::plus);
			ticks += use.userTicks() + use.systemTicks();
			wait += use.waitNanos();
			switches += use.switches();
			preemptions += use.preemptions();
		}
		long allTicks = this.total.userTicks() + this.total.systemTicks() - earlier.total.userTicks()
				- earlier.total.systemTicks();
		// Each thread's ticks are rounded down, by 0.4 of one in the mean square, so some
		// may
		// be left over though no thread ended
		long ended = Math.max(0, allTicks - ticks - Math.round(1.2 * Math.sqrt(this.threads.size())));
		groups.put(ThreadGroup.ENDED, new GroupUse(0, seconds(ended), 0, 0));
		return new ProcessUse(groups.values().stream().mapToDouble(GroupUse::userSeconds).sum(),
				groups.values().stream().mapToDouble(GroupUse::systemSeconds).sum(), wait / NANOS_PER_SECOND, switches,
				preemptions, this.residentBytes, this.threads.size(), this.sockets, groups);
	}

	private static double seconds(long ticks) {
		return ticks / Stat.TICKS_PER_SECOND;
	}

}
