package io.gatewaybench.webflux;

import java.util.List;

import io.gatewaybench.routing.RouteDescription;
import io.gatewaybench.routing.RouteIndexHolder;

import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.core.env.Environment;

/**
 * The lookup of routes by an index, in the place of the one that tries them all.
 *
 * @since 0.1.0
 */
public final class RouteLookup {

	private final RouteIndexHolder<Route> index = new RouteIndexHolder<>(
			(position, route) -> new RouteDescription(position, route.getId(), route.getPredicate().toString()));

	/**
	 * A lookup of no routes yet.
	 */
	public RouteLookup() {
	}

	/**
	 * The index, to be asked how it does.
	 * @return the index of the routes
	 */
	public RouteIndexHolder<?> index() {
		return this.index;
	}

	/**
	 * Mapping of requests to routes.
	 * @param webHandler handler that runs the filters of the route
	 * @param routeLocator source of the routes
	 * @param globalCorsProperties CORS for all routes
	 * @param environment environment of the application
	 * @return mapping that looks routes up by the index
	 */
	public RoutePredicateHandlerMapping handlerMapping(FilteringWebHandler webHandler, RouteLocator routeLocator,
			GlobalCorsProperties globalCorsProperties, Environment environment) {
		return new IndexedRoutePredicateHandlerMapping(webHandler, routeLocator, globalCorsProperties, environment,
				this.index);
	}

	/**
	 * Handler that runs the filters of the route.
	 * @param globalFilters filters of all routes
	 * @param properties properties of the gateway
	 * @return handler that combines the filters of a route once, not for each request
	 */
	public static FilteringWebHandler webHandler(List<GlobalFilter> globalFilters, GatewayProperties properties) {
		return new CombiningWebHandler(globalFilters, properties.isRouteFilterCacheEnabled());
	}

}
