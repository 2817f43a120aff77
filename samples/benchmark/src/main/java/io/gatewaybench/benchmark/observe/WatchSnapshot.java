package io.gatewaybench.benchmark.observe;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import io.gatewaybench.benchmark.observe.ProcessWatch.ThreadTime;

/**
 * What a {@link ProcessWatch} saw at one moment.
 *
 * @param cpuSeconds user and system time of all threads, also those that ended, to 10 ms
 * @param threads the threads, by id
 * @param residentBytes what is in memory
 * @param sockets the file descriptors without as many as were no sockets when the watch
 * began
 */
record WatchSnapshot(double cpuSeconds, Map<String, ThreadTime> threads, long residentBytes, int sockets) {

	WatchSnapshot plus(WatchSnapshot other) {
		Map<String, ThreadTime> all = new HashMap<>(this.threads);
		all.putAll(other.threads);
		return new WatchSnapshot(this.cpuSeconds + other.cpuSeconds, all, this.residentBytes + other.residentBytes,
				this.sockets + other.sockets);
	}

	/**
	 * The CPU time between two looks by what threads are for.
	 * @param earlier the first look
	 * @return seconds; what no thread that is still there had is that of
	 * {@link ThreadGroup#ENDED}
	 */
	Map<ThreadGroup, Double> cpuSince(WatchSnapshot earlier) {
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
