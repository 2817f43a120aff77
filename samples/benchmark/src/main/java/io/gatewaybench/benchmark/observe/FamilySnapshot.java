package io.gatewaybench.benchmark.observe;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of a process and of all that it started.
 *
 * @param ticks user and system time, by process id
 */
public record FamilySnapshot(Map<Long, Long> ticks) {

	static final FamilySnapshot NONE = new FamilySnapshot(Map.of());

	/**
	 * Copies the map.
	 */
	public FamilySnapshot {
		ticks = Map.copyOf(ticks);
	}

	/**
	 * Looks at all of them.
	 * @param parent id of the process
	 * @return the snapshot, empty if the platform has no {@code /proc}
	 */
	public static FamilySnapshot take(long parent) {
		Map<Long, Long> ticks = new HashMap<>();
		Stream<Long> descendants = ProcessHandle.of(parent)
			.stream()
			.flatMap(ProcessHandle::descendants)
			.map(ProcessHandle::pid);
		Stream.concat(Stream.of(parent), descendants).forEach((pid) -> {
			Stat stat = Stat.parse(ProcFiles.SYSTEM.lines(Long.toString(pid), "stat"));
			if (stat != null) {
				ticks.put(pid, stat.userTicks() + stat.systemTicks());
			}
		});
		return new FamilySnapshot(ticks);
	}

	/**
	 * What was used between two looks.
	 * @param earlier the first look
	 * @return seconds of those that are still there
	 */
	public double secondsSince(FamilySnapshot earlier) {
		return this.ticks.entrySet()
			.stream()
			.mapToLong((entry) -> entry.getValue() - earlier.ticks.getOrDefault(entry.getKey(), 0L))
			.sum() / Stat.TICKS_PER_SECOND;
	}

}
