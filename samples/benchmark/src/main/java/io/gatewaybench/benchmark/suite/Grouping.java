package io.gatewaybench.benchmark.suite;

import java.util.List;

/**
 * Among whom Linux shares the cores. It decides the latency of a gateway with many
 * threads where not every thread can have a core.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7), The
 * autogroup feature</a>
 */
public enum Grouping {

	/**
	 * Gateway, generator and backends have equal parts of the cores, as services and
	 * containers have. Each has a session of its own, and a control group of its own
	 * where the runner may make one.
	 */
	OWN,

	/**
	 * All are in the session of the runner, and each thread has an equal part. A gateway
	 * with a hundred threads gets more than a generator with one, which then offers less
	 * than it should.
	 */
	SHARED;

	/**
	 * What starts a process in this way; its process id stays the same.
	 * @return the beginning of a command line
	 */
	public List<String> command() {
		return (this == OWN) ? List.of("setsid") : List.of();
	}

}
