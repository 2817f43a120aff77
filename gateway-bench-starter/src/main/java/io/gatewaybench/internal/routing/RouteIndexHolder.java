package io.gatewaybench.internal.routing;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * The index of a running gateway, which is replaced as a whole when its routes change. A
 * request sees one index from its beginning to its end.
 *
 * @param <T> type of a route
 */
public final class RouteIndexHolder<T> {

	private static final Log logger = LogFactory.getLog(RouteIndexHolder.class);

	private final AtomicReference<@Nullable RouteIndex<T>> current = new AtomicReference<>();

	private final RouteDescription.Describer<T> describer;

	/**
	 * A holder of no index yet.
	 * @param describer tells people what a route is
	 */
	public RouteIndexHolder(RouteDescription.Describer<T> describer) {
		this.describer = describer;
	}

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
	 * The routes that the gateway has now, in words.
	 * @param path the path of a request, {@code null} for all routes
	 * @return routes in the order in which they are tried: those that can take the path,
	 * or all
	 */
	public List<RouteDescription> describe(@Nullable PathContainer path) {
		RouteIndex<T> index = this.current.get();
		if (index == null) {
			return List.of();
		}
		Set<T> candidates = Collections.newSetFromMap(new IdentityHashMap<>());
		(path != null ? index.candidates(path) : index.routes()).forEach(candidates::add);
		List<T> all = index.routes();
		return IntStream.range(0, all.size())
			.filter((position) -> candidates.contains(all.get(position)))
			.mapToObj((position) -> this.describer.describe(position, all.get(position)))
			.toList();
	}

	/**
	 * What the index does for the routes that the gateway has now.
	 * @return the summary, empty before the gateway has loaded its routes
	 */
	public Optional<RouteIndexSummary> summary() {
		return Optional.ofNullable(this.current.get()).map(RouteIndex::summary);
	}

}
