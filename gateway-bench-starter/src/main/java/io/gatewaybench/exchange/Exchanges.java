package io.gatewaybench.exchange;

import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.DeadlineTimer;

/**
 * Begins exchanges, with what all of them share.
 *
 * @param metrics what counts them
 * @param observations what observes them
 * @param timer what ends waiting for an upstream
 * @since 0.1.0
 */
public record Exchanges(GatewayMetrics metrics, GatewayObservations observations, DeadlineTimer timer) {

	/**
	 * Begin with a request that has just arrived.
	 * @return its exchange
	 */
	public GatewayExchange begin() {
		return new GatewayExchange(this.metrics, this.observations, this.timer);
	}

}
