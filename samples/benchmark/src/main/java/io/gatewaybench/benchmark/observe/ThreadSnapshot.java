package io.gatewaybench.benchmark.observe;

import java.util.List;

/**
 * What a thread has used since it began.
 *
 * @param group what it is for
 * @param userTicks user time
 * @param systemTicks system time
 * @param runNanos time it had a core, 0 where the kernel does not tell it
 * @param waitNanos time it was ready to run and another thread had the core
 * @param switches how often it gave up the core
 * @param preemptions how often the core was taken away from it
 */
record ThreadSnapshot(ThreadGroup group, long userTicks, long systemTicks, long runNanos, long waitNanos, long switches,
		long preemptions) {

	static final ThreadSnapshot NONE = new ThreadSnapshot(ThreadGroup.OTHER, 0, 0, 0, 0, 0, 0);

	static ThreadSnapshot of(Stat stat, List<String> schedstat, List<String> status) {
		String[] schedule = schedstat.isEmpty() ? new String[0] : schedstat.getFirst().split(" ");
		return new ThreadSnapshot(ThreadGroup.of(stat.name()), stat.userTicks(), stat.systemTicks(),
				(schedule.length > 1) ? Long.parseLong(schedule[0]) : 0,
				(schedule.length > 1) ? Long.parseLong(schedule[1]) : 0,
				Stat.statusNumber(status, "voluntary_ctxt_switches"),
				Stat.statusNumber(status, "nonvoluntary_ctxt_switches"));
	}

	/**
	 * User time. Ticks are too coarse for a slice of a second, so they only share the
	 * time that the thread had a core among user and system.
	 */
	double userSeconds() {
		long ticks = this.userTicks + this.systemTicks;
		return (this.runNanos > 0) ? this.runNanos / 1e9 * ((ticks > 0) ? (double) this.userTicks / ticks : 1)
				: this.userTicks / Stat.TICKS_PER_SECOND;
	}

	/**
	 * System time.
	 */
	double systemSeconds() {
		long ticks = this.userTicks + this.systemTicks;
		return (this.runNanos > 0) ? this.runNanos / 1e9 - userSeconds() : this.systemTicks / Stat.TICKS_PER_SECOND;
	}

	ThreadSnapshot since(ThreadSnapshot earlier) {
		return new ThreadSnapshot(this.group, this.userTicks - earlier.userTicks,
				this.systemTicks - earlier.systemTicks, this.runNanos - earlier.runNanos,
				this.waitNanos - earlier.waitNanos, this.switches - earlier.switches,
				this.preemptions - earlier.preemptions);
	}

}
