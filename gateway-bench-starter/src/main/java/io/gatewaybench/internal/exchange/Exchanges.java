package io.gatewaybench.internal.exchange;

import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;

/**
 * Begins exchanges, with what all of them share.
 *
 * @param metrics what counts them
 * @param observations what observes them
 * @param timer what ends waiting for an upstream
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
