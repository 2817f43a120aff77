package io.gatewaybench.routing;

import java.util.List;

/**
 * All routes of the starter. A refresh of the configuration replaces them all at once.
 *
 * @since 0.1.0
 */
public final class GatewayRoutes {

	private volatile List<GatewayRoute> routes;

	/**
	 * Create the routes that the gateway starts with.
	 * @param routes the routes in the order in which they are tried
	 */
	public GatewayRoutes(List<GatewayRoute> routes) {
		this.routes = List.copyOf(routes);
	}

	/**
	 * The routes as they are now.
	 * @return the routes in the order in which they are tried; the same list until they
	 * are replaced
	 */
	public List<GatewayRoute> routes() {
		return this.routes;
	}

	/**
	 * Put other routes in the place of all. The gateway takes them when it loads its
	 * routes the next time.
	 * @param routes the routes in the order in which they are tried
	 */
	public void replace(List<GatewayRoute> routes) {
		this.routes = List.copyOf(routes);
	}

}
