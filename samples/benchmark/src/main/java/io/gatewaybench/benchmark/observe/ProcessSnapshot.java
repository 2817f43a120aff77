package io.gatewaybench.benchmark.observe;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.observe.ProcessUse.GroupUse;
import org.jspecify.annotations.Nullable;

/**
 * What a process has used since it began.
 *
 * @param ticks user and system time of all its threads, also those that ended
 * @param threads its threads, by id
 * @param residentBytes what it has in memory
 * @param sockets its open sockets
 */
public record ProcessSnapshot(long ticks, Map<String, ThreadSnapshot> threads, long residentBytes, int sockets) {

	private static final double NANOS_PER_SECOND = 1e9;

	/**
	 * Looks at a process and all that it started, such as the workers of nginx.
	 * @param pid its id
	 * @return the snapshot of all together, {@code null} if none of them is there or the
	 * platform has no {@code /proc}
	 */
	public static @Nullable ProcessSnapshot takeFamily(long pid) {
		return family(pid).map(ProcessSnapshot::take)
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
		return new ProcessSnapshot(this.ticks + other.ticks, all, this.residentBytes + other.residentBytes,
				this.sockets + other.sockets);
	}

	/**
	 * Looks at a process.
	 * @param pid its id
	 * @return the snapshot, {@code null} if it is gone or the platform has no
	 * {@code /proc}
	 */
	public static @Nullable ProcessSnapshot take(long pid) {
		return take(ProcFiles.read(ProcFiles.ROOT, pid), pid, "");
	}

	/**
	 * What has to run on another host, so that {@link #parse} can look at a process there
	 * and at all that it started.
	 * @param pid its id there
	 * @return a script for a POSIX shell
	 */
	public static String script(long pid) {
		return Resource.text(ProcessSnapshot.class, "look.sh").formatted(pid);
	}

	/**
	 * Looks at a process of another host and at all that it started.
	 * @param host the host, as threads of several hosts may have the same id
	 * @param printed what the script printed there
	 * @return the snapshot of all together, {@code null} if it is gone
	 */
	public static @Nullable ProcessSnapshot parse(String host, String printed) {
		ProcFiles files = ProcFiles.parse(printed);
		return files.names("")
			.stream()
			.map((pid) -> take(files, Long.parseLong(pid), host + "/"))
			.filter(Objects::nonNull)
			.reduce(ProcessSnapshot::plus)
			.orElse(null);
	}

	static @Nullable ProcessSnapshot take(ProcFiles files, long pid, String host) {
		Stat total = Stat.parse(files.of(pid + "/stat"));
		if (total == null) {
			return null;
		}
		Map<String, ThreadSnapshot> threads = new HashMap<>();
		for (String thread : files.names(pid + "/task/")) {
			String path = pid + "/task/" + thread;
			Stat stat = Stat.parse(files.of(path + "/stat"));
			if (stat != null) {
				threads.put(host + thread,
						ThreadSnapshot.of(stat, files.of(path + "/schedstat"), files.of(path + "/status")));
			}
		}
		return new ProcessSnapshot(total.userTicks() + total.systemTicks(), threads,
				Stat.statusNumber(files.of(pid + "/status"), "VmRSS") * 1024, files.of(pid + "/fd/").size());
	}

	/**
	 * CPU time of a process and of all that it started, those that have ended included.
	 * @param pid its id
	 * @return seconds since it began, 0 if the platform has no {@code /proc}
	 */
	public static double familySeconds(long pid) {
		return family(pid).map((each) -> Stat.parse(ProcFiles.lines(ProcFiles.ROOT.resolve(each + "/stat"))))
			.filter(Objects::nonNull)
			.mapToLong((stat) -> stat.userTicks() + stat.systemTicks() + stat.endedChildrenTicks())
			.sum() / Stat.TICKS_PER_SECOND;
	}

	private static Stream<Long> family(long pid) {
		return Stream.concat(Stream.of(pid),
				ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid));
	}

	/**
	 * The cores a process may run on.
	 * @param pid its id
	 * @return such as {@code 0-1}, empty if it is gone or the platform has no
	 * {@code /proc}
	 */
	public static String affinity(long pid) {
		return Stat.statusText(ProcFiles.lines(ProcFiles.ROOT.resolve(pid + "/status")), "Cpus_allowed_list");
	}

	/**
	 * What was used between two looks.
	 * @param earlier the first look
	 * @return the difference; memory, threads and sockets as they are at the second look
	 */
	public ProcessUse since(ProcessSnapshot earlier) {
		Map<ThreadGroup, GroupUse> groups = new EnumMap<>(ThreadGroup.class);
		long ticks = 0;
		long switches = 0;
		long preemptions = 0;
		for (Map.Entry<String, ThreadSnapshot> entry : this.threads.entrySet()) {
			ThreadSnapshot use = entry.getValue()
				.since(earlier.threads.getOrDefault(entry.getKey(), ThreadSnapshot.NONE));
			groups.merge(use.group(),
					new GroupUse(1, use.userSeconds(), use.systemSeconds(), use.waitNanos() / NANOS_PER_SECOND),
					GroupUse::plus);
			ticks += use.userTicks() + use.systemTicks();
			switches += use.switches();
			preemptions += use.preemptions();
		}
		long allTicks = this.ticks - earlier.ticks;
		// Each thread's ticks are rounded down, by 0.4 of one in the mean square, so some
		// may be left over though no thread ended
		long ended = Math.max(0, allTicks - ticks - Math.round(1.2 * Math.sqrt(this.threads.size())));
		groups.put(ThreadGroup.ENDED, new GroupUse(0, ended / Stat.TICKS_PER_SECOND, 0, 0));
		return new ProcessUse(groups.values().stream().mapToDouble(GroupUse::userSeconds).sum(),
				groups.values().stream().mapToDouble(GroupUse::systemSeconds).sum(),
				groups.values().stream().mapToDouble(GroupUse::waitSeconds).sum(), switches, preemptions,
				this.residentBytes, this.threads.size(), this.sockets, groups);
	}

}
