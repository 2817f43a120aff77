package io.gatewaybench.benchmark.observe;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * CPU time of a process and of all that it started, those that have ended included.
 *
 * @param ticks user and system time
 */
public record FamilySnapshot(long ticks) {

	static final FamilySnapshot NONE = new FamilySnapshot(0);

	/**
	 * Looks at all of them.
	 * @param parent id of the process
	 * @return the snapshot, with no time if the platform has no {@code /proc}
	 */
	public static FamilySnapshot take(long parent) {
		Stream<Long> descendants = ProcessHandle.of(parent)
			.stream()
			.flatMap(ProcessHandle::descendants)
			.map(ProcessHandle::pid);
		return new FamilySnapshot(Stream.concat(Stream.of(parent), descendants)
			.map((pid) -> Stat.parse(ProcFiles.SYSTEM.lines(Long.toString(pid), "stat")))
			.filter(Objects::nonNull)
			.mapToLong((stat) -> stat.userTicks() + stat.systemTicks() + stat.endedChildrenTicks())
			.sum());
	}

	/**
	 * What was used between two looks.
	 * @param earlier the first look
	 * @return seconds, not negative: a process that is about to end may be missing in the
	 * second look
	 */
	public double secondsSince(FamilySnapshot earlier) {
		return Math.max(0, this.ticks - earlier.ticks) / Stat.TICKS_PER_SECOND;
	}

}
