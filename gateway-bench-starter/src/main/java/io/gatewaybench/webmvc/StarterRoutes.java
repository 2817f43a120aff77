package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.gatewaybench.routing.GatewayRoute;
import io.gatewaybench.routing.GatewayRoutes;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayDelegatingRouterFunction;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The routes of the starter as routes of the gateway. They are asked for with every
 * request where there is no index, and built only when they have changed.
 */
final class StarterRoutes {

	private final GatewayRoutes routes;

	private final Supplier<PathPatternParser> parser;

	private volatile @Nullable Built built;

	StarterRoutes(GatewayRoutes routes, Supplier<PathPatternParser> parser) {
		this.routes = routes;
		this.parser = parser;
	}

	List<RouterFunction<ServerResponse>> routers() {
		Built current = this.built;
		return (current != null && current.from() == this.routes.routes()) ? current.routers() : build();
	}

	/**
	 * The mapping gives its parser to the routes of the start, and to no later ones.
	 */
	private synchronized List<RouterFunction<ServerResponse>> build() {
		List<GatewayRoute> now = this.routes.routes();
		Built current = this.built;
		if (current == null || current.from() != now) {
			Function<String, RequestPredicate> path = (current != null)
					? RequestPredicates.pathPredicates(this.parser.get()) : RequestPredicates::path;
			current = new Built(now, now.stream().map((route) -> router(route, path.apply(route.path()))).toList());
			this.built = current;
		}
		return current.routers();
	}

	private static RouterFunction<ServerResponse> router(GatewayRoute route, RequestPredicate path) {
		URI uri = route.uri();
		// As the gateway builds routes, with one filter instead of three
		return new GatewayDelegatingRouterFunction<>(RouterFunctions.route(path, HandlerFunctions.http())
			.filter((request, next) -> next.handle(choose(request, route, uri)))
			.withAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR, route.id()), route.id());
	}

	private static ServerRequest choose(ServerRequest request, GatewayRoute route, URI uri) {
		MvcUtils.setRouteId(request, route.id());
		MvcUtils.setRequestUrl(request, uri);
		ServletExchange exchange = ServletExchange.of(request.servletRequest());
		if (exchange != null) {
			exchange.current().declare(route.features());
		}
		return ClientPathRequest.decorate(request);
	}

	private record Built(List<GatewayRoute> from, List<RouterFunction<ServerResponse>> routers) {
	}

}
