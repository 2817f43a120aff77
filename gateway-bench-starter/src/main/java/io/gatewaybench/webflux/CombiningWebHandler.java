package io.gatewaybench.webflux;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.route.Route;

/**
 * Combines and sorts the filters of a route when it is requested for the first time, not
 * for each request. Unlike the gateway's own cache of filters it asks for the very route,
 * so that neither is a deep hash needed for a request, nor can a route of yesterday come
 * back.
 */
final class CombiningWebHandler extends FilteringWebHandler {

	private volatile Map<Route, CombinedFilters> combined = Map.of();

	CombiningWebHandler(List<GlobalFilter> globalFilters, boolean routeFilterCacheEnabled) {
		super(globalFilters, routeFilterCacheEnabled);
	}

	/**
	 * Forget the filters of all other routes.
	 */
	void routes(List<Route> routes) {
		Map<Route, CombinedFilters> next = new IdentityHashMap<>(routes.size());
		routes.forEach((route) -> next.put(route, new CombinedFilters()));
		this.combined = next;
	}

	@Override
	protected List<GatewayFilter> getCombinedFilters(Route route) {
		CombinedFilters current = this.combined.get(route);
		if (current == null) {
			return super.getCombinedFilters(route);
		}
		List<GatewayFilter> filters = current.filters;
		if (filters == null) {
			filters = List.copyOf(getAllFilters(route));
			current.filters = filters;
		}
		return filters;
	}

	private static final class CombinedFilters {

		private volatile @Nullable List<GatewayFilter> filters;

	}

}
