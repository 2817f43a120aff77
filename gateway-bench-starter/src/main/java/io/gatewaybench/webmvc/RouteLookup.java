package io.gatewaybench.webmvc;

import java.util.List;
import java.util.function.Supplier;

import io.gatewaybench.routing.RouteIndexHolder;
import io.gatewaybench.webmvc.IndexedRouterFunction.IndexedRouter;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The lookup of routes by an index, in the place of the one that tries them all.
 *
 * @since 0.1.0
 */
public final class RouteLookup {

	private final RouteIndexHolder<IndexedRouter> index = new RouteIndexHolder<>(
			(position, route) -> RouterDescription.of(route.router()).describe(position));

	private volatile @Nullable IndexedRouterFunction router;

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
	 * Router in the place of all routers of the application.
	 * @param routers the routers in the order in which they are asked
	 * @param parser tells the parser that the mapping gives to all patterns, {@code null}
	 * for the framework's default
	 * @return router that looks routes up by the index, once they have been
	 * {@linkplain #refresh() loaded}
	 */
	public RouterFunction<ServerResponse> router(List<RouterFunction<?>> routers,
			Supplier<@Nullable PathPatternParser> parser) {
		IndexedRouterFunction indexed = new IndexedRouterFunction(routers, parser, this.index);
		this.router = indexed;
		return indexed;
	}

	/**
	 * The routes of the gateway's properties as a router that can be taken apart.
	 * @param holder what holds them
	 * @return router that always has the routes which the gateway has now
	 */
	public static RouterFunction<ServerResponse> routesOfProperties(RouterFunctionHolder holder) {
		return RouterList.of(holder);
	}

	/**
	 * Whether requests are looked up here.
	 * @return whether a mapping has taken the router
	 */
	public boolean isInPlace() {
		return this.router != null;
	}

	/**
	 * Load the routes that the routers have now.
	 */
	public void refresh() {
		IndexedRouterFunction indexed = this.router;
		if (indexed != null) {
			indexed.refresh();
		}
	}

}
