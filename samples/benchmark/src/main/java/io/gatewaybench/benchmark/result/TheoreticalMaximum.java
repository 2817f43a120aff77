package io.gatewaybench.benchmark.result;

/**
 * Little's law: in a closed loop, throughput can't exceed connections / mean latency of
 * the backends, whatever the gateway; and what works on fewer requests at a time than
 * there are connections can't exceed their number / mean latency.
 *
 * @param backendMeanMs mean latency that the backends achieved, weighted by the mix that
 * was observed; or that they were asked for, where no response tells
 * @param requestsPerSecond requests at a time / mean latency
 * @param reached our throughput as a part of it, 0 to 1
 */
public record TheoreticalMaximum(double backendMeanMs, double requestsPerSecond, double reached) {

	/**
	 * The theoretical maximum of a closed loop.
	 * @param atATime requests at a time: connections, or fewer where the target has fewer
	 * threads
	 * @param backendMeanMs mean latency of the backends in milliseconds, above 0
	 * @param perSecond our throughput
	 * @return the maximum and what was reached of it
	 */
	public static TheoreticalMaximum of(int atATime, double backendMeanMs, double perSecond) {
		double requestsPerSecond = atATime / (backendMeanMs / 1000);
		return new TheoreticalMaximum(backendMeanMs, requestsPerSecond, perSecond / requestsPerSecond);
	}

}
