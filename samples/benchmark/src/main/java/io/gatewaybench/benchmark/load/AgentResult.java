package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * What one of several load hosts did in a stage.
 *
 * @param agent its address
 * @param sent the requests that it sent
 * @param ok successful responses
 * @param planned the requests that it was to send, by expectation; {@code null} in a
 * closed loop that ends by time
 * @param service from the send to the last byte, successful responses only
 * @param firstMs its first request after the test was started, by its own clock
 * @param clockMs how far its clock differs from that of the runner at least: more than 0
 * if it is ahead, less than 0 if it is behind
 */
public record AgentResult(String agent, long sent, long ok, @Nullable Double planned, LatencySummary service,
		long firstMs, long clockMs) {
}
