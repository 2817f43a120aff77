package io.gatewaybench.webmvc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import io.gatewaybench.internal.routing.RouteIndex;
import io.gatewaybench.internal.routing.RouteIndexHolder;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * All routers of an application as one, which asks only those that the index yields.
 */
final class IndexedRouterFunction implements RouterFunction<ServerResponse> {

	private final List<RouterFunction<?>> routers;

	private final Supplier<@Nullable PathPatternParser> parser;

	private final RouteIndexHolder<IndexedRouter> index;

	IndexedRouterFunction(List<RouterFunction<?>> routers, Supplier<@Nullable PathPatternParser> parser,
			RouteIndexHolder<IndexedRouter> index) {
		this.routers = List.copyOf(routers);
		this.parser = parser;
		this.index = index;
	}

	/**
	 * Take the routes that the routers have now, also the routes of the gateway's
	 * properties. Until all are loaded, requests find the old routes. Of two refreshes at
	 * a time, the one that gets the lock later reads the newest.
	 */
	synchronized void refresh() {
		PathPatternParser used = Objects.requireNonNullElse(this.parser.get(), PathPatternParser.defaultInstance);
		List<RouterFunction<?>> parts = RouterList.split(this.routers);
		RouteIndex<IndexedRouter> current = this.index.get();
		if (current != null && parts.equals(current.routes().stream().map(IndexedRouter::router).toList())) {
			return;
		}
		RouteIndex.Builder<IndexedRouter> next = RouteIndex.builder();
		boolean traced = false;
		for (RouterFunction<?> router : parts) {
			RouterDescription description = RouterDescription.of(router);
			boolean needsTrace = traced && !RouterDescription.isGatewayRoute(router);
			traced |= description.hasGatewayRoute();
			next.add(new IndexedRouter(router, needsTrace, traced), description.condition(used));
		}
		this.index.replace(next.build());
	}

	@Override
	@SuppressWarnings("unchecked")
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		RouteIndex<IndexedRouter> current = Objects.requireNonNull(this.index.get(), "The routes are not loaded");
		boolean traced = false;
		for (IndexedRouter candidate : current.candidates(request.requestPath().pathWithinApplication())) {
			if (candidate.needsTrace() && !traced) {
				leaveTrace(request);
			}
			traced = candidate.traced();
			Optional<? extends HandlerFunction<?>> handler = candidate.router().route(request);
			if (handler.isPresent()) {
				return (Optional<HandlerFunction<ServerResponse>>) handler;
			}
		}
		List<IndexedRouter> all = current.routes();
		if (!traced && !all.isEmpty() && all.get(all.size() - 1).traced()) {
			leaveTrace(request);
		}
		return Optional.empty();
	}

	/**
	 * What a test of a route of the gateway leaves on the request even if it is negative,
	 * and others may rely on.
	 */
	private static void leaveTrace(ServerRequest request) {
		Map<String, Object> attributes = request.attributes();
		attributes.computeIfAbsent(MvcUtils.GATEWAY_ATTRIBUTES_ATTR, (key) -> new HashMap<String, Object>());
		attributes.remove(MvcUtils.GATEWAY_ROUTE_ID_ATTR);
	}

	@Override
	public void accept(RouterFunctions.Visitor visitor) {
		RouterList.split(this.routers).forEach((router) -> router.accept(visitor));
	}

	@Override
	public String toString() {
		return this.index.summary().map(Object::toString).orElse("Routes that are not loaded");
	}

	/**
	 * A router in the index.
	 *
	 * @param router the router
	 * @param needsTrace whether the routers before it leave a trace on the request, and
	 * it leaves none
	 * @param traced whether there is a trace when it has been asked
	 */
	record IndexedRouter(RouterFunction<?> router, boolean needsTrace, boolean traced) {
	}

}
