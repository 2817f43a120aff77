package io.gatewaybench.benchmark.observe;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a process used during a measurement.
 *
 * @param userSeconds user time
 * @param systemSeconds system time
 * @param waitSeconds time its threads were ready to run and other threads had the cores;
 * threads that ended are not in it
 * @param switches how often its threads gave up a core
 * @param preemptions how often a core was taken away from them
 * @param residentBytes what it had in memory at the end
 * @param threads its threads at the end; virtual threads are not counted
 * @param sockets its open sockets at the end
 * @param groups CPU time by what threads are for
 */
public record ProcessUse(double userSeconds, double systemSeconds, double waitSeconds, long switches, long preemptions,
		long residentBytes, int threads, int sockets, Map<ThreadGroup, GroupUse> groups) {

	/**
	 * Copies the map.
	 */
	public ProcessUse {
		groups = Collections.unmodifiableMap(groups.isEmpty() ? Map.of() : new EnumMap<>(groups));
	}

	/**
	 * CPU time.
	 * @return user and system time
	 */
	public double cpuSeconds() {
		return this.userSeconds + this.systemSeconds;
	}

	/**
	 * Both together, where this was used first.
	 * @param next what was used later
	 * @return the sum; memory, threads and sockets as they are at the end
	 */
	public ProcessUse then(ProcessUse next) {
		Map<ThreadGroup, GroupUse> sum = new EnumMap<>(ThreadGroup.class);
		sum.putAll(this.groups);
		next.groups.forEach((group, use) -> sum.merge(group, use,
				(one, other) -> new GroupUse(other.threads(), one.userSeconds() + other.userSeconds(),
						one.systemSeconds() + other.systemSeconds(), one.waitSeconds() + other.waitSeconds())));
		return new ProcessUse(this.userSeconds + next.userSeconds, this.systemSeconds + next.systemSeconds,
				this.waitSeconds + next.waitSeconds, this.switches + next.switches, this.preemptions + next.preemptions,
				next.residentBytes, next.threads, next.sockets, sum);
	}

	/**
	 * CPU time of the threads that are for one thing.
	 * @param group what for
	 * @return user and system time
	 */
	public double cpuSeconds(ThreadGroup group) {
		GroupUse use = this.groups.get(group);
		return (use != null) ? use.userSeconds() + use.systemSeconds() : 0;
	}

	/**
	 * What the threads of a group used.
	 *
	 * @param threads their number at the end
	 * @param userSeconds user time
	 * @param systemSeconds system time
	 * @param waitSeconds time they were ready to run and other threads had the cores
	 */
	public record GroupUse(int threads, double userSeconds, double systemSeconds, double waitSeconds) {

		GroupUse plus(GroupUse other) {
			return new GroupUse(this.threads + other.threads, this.userSeconds + other.userSeconds,
					this.systemSeconds + other.systemSeconds, this.waitSeconds + other.waitSeconds);
		}

	}

}
