package io.gatewaybench.webflux;

import java.net.URI;
import java.util.Iterator;
import java.util.List;

import io.gatewaybench.internal.routing.RouteIndex;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import org.jspecify.annotations.Nullable;
import reactor.core.Fuseable.ScalarCallable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.config.GlobalCorsProperties;
import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.cloud.gateway.handler.FilteringWebHandler;
import org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping;
import org.springframework.cloud.gateway.route.CachingRouteLocator;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * Tests only the routes that the index yields, with everything around as in the gateway's
 * own mapping. The index follows the gateway's cache of routes; where the application has
 * another source of routes instead, which may change from request to request, every route
 * is tested.
 */
final class IndexedRoutePredicateHandlerMapping extends RoutePredicateHandlerMapping
		implements ApplicationListener<RefreshRoutesResultEvent> {

	private final RouteLocator routeLocator;

	private final FilteringWebHandler webHandler;

	private final RouteIndexHolder<Route> index;

	IndexedRoutePredicateHandlerMapping(FilteringWebHandler webHandler, RouteLocator routeLocator,
			GlobalCorsProperties globalCorsProperties, Environment environment, RouteIndexHolder<Route> index) {
		super(webHandler, routeLocator, globalCorsProperties, environment);
		this.webHandler = webHandler;
		this.routeLocator = routeLocator;
		this.index = index;
	}

	/**
	 * The cache has the new routes already, so they are here before the refresh ends. Of
	 * two refreshes at a time, the one that gets the lock later reads the newest.
	 */
	@Override
	public synchronized void onApplicationEvent(RefreshRoutesResultEvent event) {
		if (event.isSuccess() && this.routeLocator instanceof CachingRouteLocator) {
			this.routeLocator.getRoutes()
				.collectList()
				.subscribe(this::replace, (ex) -> logger
					.error("The gateway could not load the refreshed routes. It keeps the previous ones", ex));
		}
	}

	private RouteIndex<Route> replace(List<Route> routes) {
		RouteIndex<Route> current = this.index.get();
		if (current != null && current.routes().equals(routes)) {
			return current;
		}
		RouteIndex.Builder<Route> builder = RouteIndex.builder();
		routes.forEach((route) -> builder.add(route, PathConditions.of(route.getPredicate())));
		RouteIndex<Route> next = builder.build();
		if (this.webHandler instanceof CombiningWebHandler combining) {
			combining.routes(routes);
		}
		this.index.replace(next);
		return next;
	}

	/**
	 * The gateway's mapping logs the whole URL at DEBUG.
	 */
	@Override
	protected Mono<?> getHandlerInternal(ServerWebExchange exchange) {
		return super.getHandlerInternal(logger.isDebugEnabled() ? new WithoutQuery(exchange) : exchange);
	}

	@Override
	protected Mono<Route> lookupRoute(ServerWebExchange logged) {
		ServerWebExchange exchange = (logged instanceof WithoutQuery decorator) ? decorator.getDelegate() : logged;
		RouteIndex<Route> current = this.index.get();
		if (current != null) {
			return lookupRoute(current, exchange);
		}
		return (this.routeLocator instanceof CachingRouteLocator) ? this.routeLocator.getRoutes()
			.collectList()
			.map(this::first)
			.flatMap((first) -> lookupRoute(first, exchange)) : super.lookupRoute(exchange);
	}

	/**
	 * Only where the application has switched off the refresh at its start.
	 */
	private synchronized RouteIndex<Route> first(List<Route> routes) {
		RouteIndex<Route> current = this.index.get();
		return (current != null) ? current : replace(routes);
	}

	/**
	 * Predicates that know their answer at once need no operators, which cost more than
	 * the predicates do.
	 */
	private Mono<Route> lookupRoute(RouteIndex<Route> current, ServerWebExchange exchange) {
		Iterator<Route> candidates = candidates(current, exchange).iterator();
		while (candidates.hasNext()) {
			Route route = candidates.next();
			Mono<Boolean> test = test(route, exchange);
			if (!(test instanceof ScalarCallable)) {
				return test.filter(Boolean::booleanValue)
					.map((matches) -> matched(route, exchange))
					.switchIfEmpty(lookupRoute(candidates, exchange));
			}
			if (Boolean.TRUE.equals(test.block())) {
				return Mono.just(matched(route, exchange));
			}
		}
		return Mono.empty();
	}

	private Mono<Route> lookupRoute(Iterator<Route> candidates, ServerWebExchange exchange) {
		return Flux.<Route>fromIterable(() -> candidates)
			.filterWhen((route) -> test(route, exchange), 1)
			.next()
			.map((route) -> matched(route, exchange));
	}

	private Route matched(Route route, ServerWebExchange exchange) {
		if (logger.isDebugEnabled()) {
			logger.debug("Route matched: " + route.getId());
		}
		validateRoute(route, exchange);
		return route;
	}

	private static Iterable<Route> candidates(RouteIndex<Route> current, ServerWebExchange exchange) {
		PathContainer path = (current.summary().indexed() > 0) ? path(exchange) : null;
		return (path != null) ? current.candidates(path) : current.routes();
	}

	private Mono<Boolean> test(Route route, ServerWebExchange exchange) {
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_PREDICATE_ROUTE_ATTR, route.getId());
		try {
			return Mono.from(route.getPredicate().apply(exchange));
		}
		catch (Exception ex) {
			logger.error("Error applying predicate for route: " + route.getId(), ex);
			return Mono.just(false);
		}
	}

	/**
	 * The path as the gateway's predicates see it. The first of them to be tested parses
	 * it and keeps it for the others, and so does the index that is asked in their place.
	 * The server has parsed the same path before, unless a filter has replaced the URI
	 * alone.
	 */
	private static @Nullable PathContainer path(ServerWebExchange exchange) {
		PathContainer kept = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_PREDICATE_PATH_CONTAINER_ATTR);
		String rawPath = exchange.getRequest().getURI().getRawPath();
		if (kept != null || rawPath == null) {
			return kept;
		}
		RequestPath parsed = exchange.getRequest().getPath();
		PathContainer path = parsed.value().equals(rawPath) ? parsed : PathContainer.parsePath(rawPath);
		exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_PREDICATE_PATH_CONTAINER_ATTR, path);
		return path;
	}

	/**
	 * An exchange whose URL may be logged.
	 */
	private static final class WithoutQuery extends ServerWebExchangeDecorator {

		WithoutQuery(ServerWebExchange exchange) {
			super(exchange);
		}

		@Override
		public ServerHttpRequest getRequest() {
			return new ServerHttpRequestDecorator(super.getRequest()) {

				@Override
				public URI getURI() {
					String uri = super.getURI().toString();
					int query = uri.indexOf('?');
					return (query < 0) ? super.getURI() : URI.create(uri.substring(0, query));
				}

			};
		}

	}

}
