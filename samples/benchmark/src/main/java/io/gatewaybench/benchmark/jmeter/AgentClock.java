package io.gatewaybench.benchmark.jmeter;

/**
 * What is known of an agent's clock. No request is sent before the test starts, and no
 * sample arrives before it ends. Both times are known by the runner's clock, so the two
 * clocks differ by something between two bounds.
 *
 * @param least the lower bound, in milliseconds
 * @param most the upper bound
 */
record AgentClock(long least, long most) {

	static final AgentClock UNKNOWN = new AgentClock(Long.MIN_VALUE, Long.MAX_VALUE);

	/**
	 * What one more sample tells.
	 * @param sample the sample
	 * @param started when the test started, by the runner's clock
	 * @param arrived when the sample had arrived
	 */
	AgentClock with(Sample sample, long started, long arrived) {
		return new AgentClock(Math.max(this.least, sample.end() - arrived),
				Math.min(this.most, sample.start() - started));
	}

	/**
	 * How far it differs at least.
	 * @return more than 0 if it is ahead of the runner's clock, less than 0 if it is
	 * behind
	 */
	long differsMillis() {
		return (this.least > 0) ? this.least : Math.min(this.most, 0);
	}

}
