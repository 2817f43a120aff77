package io.gatewaybench.webflux;

import java.util.List;

import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;

/**
 * The routes of the starter as routes of the gateway. The gateway asks for them at every
 * refresh, so they are built only when they have changed.
 */
final class StarterRoutes implements RouteLocator {

	private final RouteLocatorBuilder builder;

	private final GatewayRoutes routes;

	private final Upstreams upstreams;

	private volatile @Nullable Built built;

	StarterRoutes(RouteLocatorBuilder builder, GatewayRoutes routes, Upstreams upstreams) {
		this.builder = builder;
		this.routes = routes;
		this.upstreams = upstreams;
	}

	@Override
	public Flux<Route> getRoutes() {
		List<GatewayRoute> now = this.routes.routes();
		Built current = this.built;
		if (current == null || current.from() != now) {
			current = new Built(now, build(now).cache());
			this.built = current;
		}
		return current.routes();
	}

	private Flux<Route> build(List<GatewayRoute> configured) {
		RouteLocatorBuilder.Builder locator = this.builder.routes();
		configured.forEach((route) -> locator.route(route.id(),
				(spec) -> spec.path(route.path())
					.metadata(ResponseFilter.ROUTE_METADATA, route.features())
					.metadata(ConnectTimeout.metadata(this.upstreams.get(route.uri()).timeouts().connect()))
					.uri(route.uri())));
		return locator.build().getRoutes();
	}

	private record Built(List<GatewayRoute> from, Flux<Route> routes) {
	}

}
