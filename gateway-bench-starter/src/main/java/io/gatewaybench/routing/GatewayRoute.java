package io.gatewaybench.routing;

import java.net.URI;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.upstream.Upstreams;

/**
 * A route from a path to an upstream, before it becomes a native route of a flavour.
 *
 * @param id unique name of the route
 * @param path pattern of the path, in the syntax of
 * {@link org.springframework.web.util.pattern.PathPattern}
 * @param upstream name of the upstream
 * @param features what the route gets
 * @since 0.1.0
 */
public record GatewayRoute(String id, String path, String upstream, RouteFeatures features) {

	/**
	 * URI of the native route.
	 * @return {@code rr://} and the name of the upstream
	 */
	public URI uri() {
		return URI.create(Upstreams.SCHEME + "://" + this.upstream);
	}

}
