package io.gatewaybench.benchmark.result;

/**
 * Little's law: in a closed loop, throughput can't exceed connections / mean latency of
 * the backends, whatever the gateway.
 *
 * @param backendMeanMs mean latency that the backends achieved, weighted by the mix that
 * was observed
 * @param requestsPerSecond connections / mean latency
 * @param reached our throughput as a part of it, 0 to 1
 */
public record TheoreticalMaximum(double backendMeanMs, double requestsPerSecond, double reached) {

	/**
	 * The theoretical maximum of a closed loop.
	 * @param connections connections, each with one request at a time
	 * @param backendMeanMs mean latency of the backends in milliseconds, above 0
	 * @param perSecond our throughput
	 * @return the maximum and what was reached of it
	 */
	public static TheoreticalMaximum of(int connections, double backendMeanMs, double perSecond) {
		double requestsPerSecond = connections / (backendMeanMs / 1000);
		return new TheoreticalMaximum(backendMeanMs, requestsPerSecond, perSecond / requestsPerSecond);
	}

}
