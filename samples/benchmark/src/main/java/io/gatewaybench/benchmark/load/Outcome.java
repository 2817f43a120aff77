package io.gatewaybench.benchmark.load;

/**
 * What can become of a request that does not end right.
 */
public enum Outcome {

	/**
	 * A complete response with an unexpected status.
	 */
	HTTP_ERROR,

	/**
	 * No complete response in time.
	 */
	TIMEOUT,

	/**
	 * No connection.
	 */
	REFUSED,

	/**
	 * The connection ended, or brought no HTTP.
	 */
	RESET,

	/**
	 * The expected status, and another body.
	 */
	WRONG_BODY,

	/**
	 * Given up by the generator.
	 */
	ABORTED

}
