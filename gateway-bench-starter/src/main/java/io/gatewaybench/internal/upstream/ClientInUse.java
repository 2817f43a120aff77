package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;

/**
 * What the client for upstreams is like after the application has had its say, for those
 * who send nothing through it: operators and health checks.
 *
 * @param limits its limits
 * @param certificates whom it trusts and what it shows with {@code https} where an
 * upstream has no bundle; gives {@code null} for what is usual in this JVM
 */
public record ClientInUse(Limits limits, Supplier<@Nullable SSLContext> certificates) {

	/**
	 * Limits of a client, each {@code null} where it has none, or where nobody knows it,
	 * as the application has changed the client.
	 *
	 * @param maxPerInstance number of connections to one instance
	 * @param maxTotal number of connections to all instances together
	 * @param acquireTimeout time to wait for a connection when a limit is reached
	 * @param maxIdleTime time after which a connection that is not in use is closed
	 * @param maxAge time after which a connection takes no more requests
	 */
	public record Limits(@Nullable Integer maxPerInstance, @Nullable Integer maxTotal,
			@Nullable Duration acquireTimeout, @Nullable Duration maxIdleTime, @Nullable Duration maxAge) {

		/**
		 * Nothing is known.
		 */
		public static final Limits UNKNOWN = new Limits(null, null, null, null, null);

	}

}
