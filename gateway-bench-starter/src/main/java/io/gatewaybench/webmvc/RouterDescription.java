package io.gatewaybench.webmvc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatewaybench.internal.routing.PathCondition;
import io.gatewaybench.internal.routing.RouteDescription;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayDelegatingRouterFunction;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * What a router tells visitors about itself. Only routers of the framework and the
 * gateway are asked: one of the application may pass the visitor on to another router,
 * and answer more requests than that one does.
 */
final class RouterDescription implements RouterFunctions.Visitor {

	/** Key under which the gateway keeps the routes of its properties, by their ids. */
	private static final String ROUTES_OF_PROPERTIES = "gatewayRouterFunctions";

	private final List<RequestPredicate> predicates = new ArrayList<>();

	private final Map<String, Object> attributes = new HashMap<>();

	private boolean opaque;

	/** How many nested routers the visit is inside of. */
	private int depth;

	private RouterDescription() {
	}

	static RouterDescription of(RouterFunction<?> router) {
		RouterDescription description = new RouterDescription();
		if (isGatewayRoute(router)
				|| router.getClass().getPackageName().equals(RouterFunctions.class.getPackageName())) {
			router.accept(description);
		}
		else {
			description.opaque = true;
		}
		return description;
	}

	/**
	 * Whether a router is a route of the gateway, with an id.
	 */
	static boolean isGatewayRoute(RouterFunction<?> router) {
		return router.getClass() == GatewayDelegatingRouterFunction.class;
	}

	/**
	 * Whether there is a route of the gateway in it, which it asks for every request.
	 */
	boolean hasGatewayRoute() {
		return this.attributes.containsKey(MvcUtils.GATEWAY_ROUTE_ID_ATTR);
	}

	/**
	 * Whether there are more routes than one in it.
	 */
	boolean hasSeveralRoutes() {
		return this.predicates.size() > 1;
	}

	/**
	 * What it is, in words. A router that can't be asked may take any request.
	 */
	RouteDescription describe(int position) {
		String predicate = this.predicates.stream().map(Object::toString).collect(Collectors.joining(" or "));
		return new RouteDescription(position, (String) this.attributes.get(MvcUtils.GATEWAY_ROUTE_ID_ATTR),
				(this.opaque || predicate.isEmpty()) ? "unknown" : predicate);
	}

	/**
	 * Condition under which it has an answer.
	 * @param parser parser of the mapping
	 */
	PathCondition condition(PathPatternParser parser) {
		return this.opaque ? PathCondition.opaque() : PathCondition
			.anyOf(this.predicates.stream().map((predicate) -> PathConditions.of(predicate, parser)).toList());
	}

	/**
	 * The routes of the gateway's properties, if the gateway has composed the router of
	 * them.
	 */
	Optional<Collection<RouterFunction<?>>> routesOfProperties() {
		List<RouterFunction<?>> routes = new ArrayList<>();
		if (this.attributes.get(ROUTES_OF_PROPERTIES) instanceof Map<?, ?> byId) {
			byId.values().forEach((route) -> routes.add((RouterFunction<?>) route));
		}
		return routes.isEmpty() ? Optional.empty() : Optional.of(routes);
	}

	@Override
	public void route(RequestPredicate predicate, HandlerFunction<?> handlerFunction) {
		this.predicates.add(predicate);
	}

	@Override
	public void attributes(Map<String, Object> attributes) {
		if (this.depth == 0) {
			this.attributes.putAll(attributes);
		}
	}

	@Override
	public void startNested(RequestPredicate predicate) {
		this.opaque = true;
		this.depth++;
	}

	@Override
	public void endNested(RequestPredicate predicate) {
		this.depth--;
	}

	@Override
	public void resources(Function<ServerRequest, Optional<Resource>> lookupFunction) {
		this.opaque = true;
	}

	@Override
	public void unknown(RouterFunction<?> routerFunction) {
		this.opaque = true;
	}

}
