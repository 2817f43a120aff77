package io.gatewaybench.metrics;

/**
 * Something that happens to an instance of an upstream.
 *
 * @since 0.1.0
 */
public enum UpstreamEvent {

	/**
	 * A request that failed elsewhere is sent to the instance.
	 */
	RETRY(GatewayMeter.UPSTREAM_RETRIES),

	/**
	 * The instance takes no more requests, because too many failed.
	 */
	EJECTION(GatewayMeter.UPSTREAM_EJECTIONS),

	/**
	 * The instance takes requests again.
	 */
	RECOVERY(GatewayMeter.UPSTREAM_RECOVERIES);

	private final GatewayMeter meter;

	UpstreamEvent(GatewayMeter meter) {
		this.meter = meter;
	}

	GatewayMeter meter() {
		return this.meter;
	}

}
