package io.gatewaybench.upstream;

import java.time.Duration;

/**
 * How long the gateway waits for an instance. Zero waits for ever.
 *
 * @param connect until the connection is there
 * @param response from the start of the attempt, or from the last piece of the request's
 * body that the client has sent, until the response begins
 * @param read between two pieces of the response's body, while the client is ready for
 * more
 * @since 0.1.0
 */
public record UpstreamTimeouts(Duration connect, Duration response, Duration read) {

	/**
	 * No timeout at all.
	 */
	public static final UpstreamTimeouts NONE = new UpstreamTimeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO);

}
