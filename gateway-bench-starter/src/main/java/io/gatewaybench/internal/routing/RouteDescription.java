package io.gatewaybench.internal.routing;

import org.jspecify.annotations.Nullable;

/**
 * A route in words, for people who look at a running gateway.
 *
 * @param position place in the order in which routes are tried, from 0
 * @param id id of the route, {@code null} for a router of the application
 * @param predicate condition under which the route takes a request
 */
public record RouteDescription(int position, @Nullable String id, String predicate) {

	/**
	 * Tells what a route is.
	 *
	 * @param <T> type of a route
	 */
	@FunctionalInterface
	public interface Describer<T> {

		/**
		 * Describe a route.
		 * @param position its place in the order, from 0
		 * @param route the route
		 * @return the description
		 */
		RouteDescription describe(int position, T route);

	}

}
