package io.gatewaybench.upstream;

import org.jspecify.annotations.Nullable;

/**
 * What is known of an instance at a moment.
 *
 * @param instance URL of the instance
 * @param weight its share of the requests in relation to the other instances
 * @param state whether it takes requests
 * @param requests how many requests it has not answered yet; 0 with round robin, which
 * does not count them
 * @param failures how many requests failed in a row
 * @param checkFailure how the last health check failed, {@code null} if it did not
 * @since 0.1.0
 */
public record InstanceStatus(String instance, int weight, State state, int requests, int failures,
		@Nullable String checkFailure) {

	/**
	 * Whether an instance takes requests.
	 */
	public enum State {

		/** It takes requests. */
		IN_ROTATION,

		/** It takes none, as requests to it failed. Some try it now and then. */
		EJECTED,

		/** It takes none, as its health check fails. */
		UNHEALTHY,

		/** It takes none, as an operator said so. */
		OUT_OF_SERVICE

	}

}
