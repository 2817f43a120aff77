package io.gatewaybench.routing;

import java.util.List;

/**
 * All routes of the starter.
 *
 * @param routes the routes in the order in which they are tried
 * @since 0.1.0
 */
public record GatewayRoutes(List<GatewayRoute> routes) {

	/**
	 * Keep the routes as they are now.
	 */
	public GatewayRoutes {
		routes = List.copyOf(routes);
	}

}
