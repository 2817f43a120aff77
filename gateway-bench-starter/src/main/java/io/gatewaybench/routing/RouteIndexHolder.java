package io.gatewaybench.routing;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The index of a running gateway, which is replaced as a whole when its routes change. A
 * request sees one index from its beginning to its end.
 *
 * @param <T> type of a route
 * @since 0.1.0
 */
public final class RouteIndexHolder<T> {

	private static final Log logger = LogFactory.getLog(RouteIndexHolder.class);

	private final AtomicReference<@Nullable RouteIndex<T>> current = new AtomicReference<>();

	/**
	 * The index for a request that comes now.
	 * @return the index, or {@code null} before the gateway has loaded its routes
	 */
	public @Nullable RouteIndex<T> get() {
		return this.current.get();
	}

	/**
	 * Put an index in the place of the one that is there.
	 * @param index the index for requests from now on
	 */
	public void replace(RouteIndex<T> index) {
		this.current.set(index);
		logger.debug(index.summary());
	}

	/**
	 * What the index does for the routes that the gateway has now.
	 * @return the summary, empty before the gateway has loaded its routes
	 */
	public Optional<RouteIndexSummary> summary() {
		return Optional.ofNullable(this.current.get()).map(RouteIndex::summary);
	}

}
