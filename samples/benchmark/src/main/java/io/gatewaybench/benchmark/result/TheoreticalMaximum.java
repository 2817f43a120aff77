package io.gatewaybench.benchmark.result;

import org.jspecify.annotations.Nullable;

/**
 * Little's law: in a closed loop, throughput can't exceed users / (mean latency of the
 * backends + think time), whatever the gateway. What has fewer threads than there are
 * users can't exceed threads / mean latency either.
 *
 * @param backendMeanMs mean latency that the backends achieved, weighted by the mix that
 * was observed; or that they were asked for, where no response tells
 * @param requestsPerSecond the lower limit of the two
 * @param reached our throughput as a part of it, 0 to 1
 */
public record TheoreticalMaximum(double backendMeanMs, double requestsPerSecond, double reached) {

	/**
	 * The theoretical maximum of a closed loop.
	 * @param users how many, each with one request at a time
	 * @param thinkMs mean pause per request in milliseconds
	 * @param threads requests at a time that the target works on, {@code null} without a
	 * limit
	 * @param backendMeanMs mean latency of the backends in milliseconds, above 0
	 * @param perSecond our throughput
	 * @return the maximum and what was reached of it
	 */
	public static TheoreticalMaximum of(int users, double thinkMs, @Nullable Integer threads, double backendMeanMs,
			double perSecond) {
		double byUsers = users / (backendMeanMs + thinkMs) * 1000;
		double requestsPerSecond = (threads != null) ? Math.min(byUsers, threads / backendMeanMs * 1000) : byUsers;
		return new TheoreticalMaximum(backendMeanMs, requestsPerSecond, perSecond / requestsPerSecond);
	}

}
