package io.gatewaybench.metrics;

import java.util.Collection;
import java.util.Map;

/**
 * Counts what passes the gateway. The counting methods are called for every request by
 * both adapters, possibly from many threads at once: they never block, and they don't
 * allocate once a route and a status have been seen. A method does nothing unless it is
 * implemented.
 *
 * @since 0.1.0
 */
public interface GatewayMetrics extends AutoCloseable {

	/**
	 * Counts a request when the gateway is done with it.
	 * @param route id of the route that it took
	 * @param status status code of the response; 0 when none was committed
	 * @param completed whether the whole response was handed over; {@code false} when the
	 * client went away or the transfer broke
	 * @param durationNanos nanoseconds from the arrival of the request to the end of the
	 * response body
	 */
	default void request(String route, int status, boolean completed, long durationNanos) {
	}

	/**
	 * Counts an attempt on an instance of an upstream.
	 * @param upstream name of the upstream
	 * @param instance the instance that was tried
	 * @param status status code of the response headers that arrived; 0 when none did
	 */
	default void upstream(String upstream, String instance, int status) {
	}

	/**
	 * Counts something that happened to an instance of an upstream.
	 * @param upstream name of the upstream
	 * @param instance the instance
	 * @param event what happened
	 */
	default void upstream(String upstream, String instance, UpstreamEvent event) {
	}

	/**
	 * Counts a WebSocket when it ends.
	 * @param upstream name of the upstream
	 * @param code code of the first Close frame, 1005 if that has none; 1001 if the
	 * gateway has ended it, 1006 if it broke off
	 */
	default void webSocket(String upstream, int code) {
	}

	/**
	 * Counts a response body that the rewriter has dealt with.
	 * @param outcome what became of it, as a tag
	 */
	default void rewrite(String outcome) {
	}

	/**
	 * Tells how many response bodies the rewriter has dealt with.
	 * @return their number by the outcome, for each outcome that there was; empty if
	 * these metrics don't keep it
	 */
	default Map<String, Long> rewrites() {
		return Map.of();
	}

	/**
	 * Writes what is still to be written and releases every resource; further calls
	 * change nothing.
	 */
	@Override
	default void close() {
	}

	/**
	 * Returns metrics that count nothing.
	 * @return the shared no-op
	 */
	static GatewayMetrics disabled() {
		return CompositeMetrics.NONE;
	}

	/**
	 * Returns metrics that pass every call on to all others. None of its methods throws
	 * what one of them throws: that is logged, once for each class and method, and the
	 * call goes on to the others.
	 * @param all the metrics to call, in this order
	 * @return metrics for all that count, the shared no-op if there is none
	 */
	static GatewayMetrics composite(Collection<? extends GatewayMetrics> all) {
		GatewayMetrics[] counting = all.stream()
			.filter((metrics) -> metrics != CompositeMetrics.NONE)
			.toArray(GatewayMetrics[]::new);
		return (counting.length > 0) ? new CompositeMetrics(counting) : CompositeMetrics.NONE;
	}

}
