package io.gatewaybench.internal.upstream;

import java.time.Duration;

/**
 * How many connections to upstreams there may be, and for how long.
 *
 * @param maxPerInstance number of connections to one instance
 * @param maxTotal number of connections to all instances together
 * @param acquireTimeout time to wait for a connection when a limit is reached
 * @param maxIdleTime time after which a connection that is not in use is closed
 * @param maxAge time after which a connection takes no more requests
 */
public record ConnectionSettings(int maxPerInstance, int maxTotal, Duration acquireTimeout, Duration maxIdleTime,
		Duration maxAge) {

}
