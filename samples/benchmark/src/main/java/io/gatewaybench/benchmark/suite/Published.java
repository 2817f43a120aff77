package io.gatewaybench.benchmark.suite;

/**
 * What somebody else published for a scenario. Latencies in milliseconds; they count
 * answered requests only.
 *
 * @param requests requests in the whole run
 * @param errors errors of every kind
 * @param timeouts requests without an answer in time
 * @param readErrors connections that broke
 * @param requestsPerSecond throughput
 * @param latency latencies of the first published table
 * @param meanMs mean latency
 * @param maxMs highest latency
 * @param repeatedLatency latencies of a second table, published for the same scenario
 */
public record Published(long requests, long errors, long timeouts, long readErrors, double requestsPerSecond,
		Quantiles latency, double meanMs, double maxMs, Quantiles repeatedLatency) {

	/**
	 * Published percentiles, in milliseconds.
	 *
	 * @param p50 median
	 * @param p75 75th percentile
	 * @param p90 90th percentile
	 * @param p99 99th percentile
	 */
	public record Quantiles(double p50, double p75, double p90, double p99) {
	}

}
