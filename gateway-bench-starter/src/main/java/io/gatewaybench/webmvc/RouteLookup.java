package io.gatewaybench.webmvc;

import java.util.List;

import io.gatewaybench.routing.LiveRouteIndex;
import io.gatewaybench.webmvc.IndexedRouterFunction.IndexedRouter;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The lookup of routes by an index, in the place of the one that tries them all.
 *
 * @since 0.1.0
 */
public final class RouteLookup {

	private final LiveRouteIndex<IndexedRouter> index = new LiveRouteIndex<>();

	private volatile @Nullable IndexedRouterFunction router;

	/**
	 * The index, to be asked how it does.
	 * @return the index of the routes
	 */
	public LiveRouteIndex<?> index() {
		return this.index;
	}

	/**
	 * Router in the place of all routers of the application.
	 * @param routers the routers in the order in which they are asked
	 * @return router that looks routes up by the index, once they have been
	 * {@linkplain #refresh() loaded}
	 */
	public RouterFunction<ServerResponse> router(List<RouterFunction<?>> routers) {
		IndexedRouterFunction indexed = new IndexedRouterFunction(routers, this.index);
		this.router = indexed;
		return indexed;
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
