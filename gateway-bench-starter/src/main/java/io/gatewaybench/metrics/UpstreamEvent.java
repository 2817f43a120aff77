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
	RETRY,

	/**
	 * The instance takes no more requests, because too many failed.
	 */
	EJECTION,

	/**
	 * The instance takes requests again.
	 */
	RECOVERY

}
