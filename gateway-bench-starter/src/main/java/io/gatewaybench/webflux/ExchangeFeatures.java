package io.gatewaybench.webflux;

import java.net.URI;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Where the features of an exchange are kept while it passes the filters.
 */
final class ExchangeFeatures {

	/**
	 * Key in the metadata of a route of the starter.
	 */
	static final String ROUTE_METADATA = "gateway-bench";

	private static final String REQUESTED = ExchangeFeatures.class.getName() + ".requested";

	private static final String RESOLVED = ExchangeFeatures.class.getName() + ".resolved";

	private ExchangeFeatures() {
	}

	static void request(ServerWebExchange exchange, Feature feature) {
		exchange.getAttributes()
			.put(REQUESTED, RouteFeatures.request(exchange.<RouteFeatures>getAttribute(REQUESTED), feature));
	}

	/**
	 * A circuit breaker may send the exchange to another route afterwards, which has not
	 * asked for what its own route has asked for.
	 */
	static RouteFeatures resolve(ServerWebExchange exchange, FeatureScope scope) {
		Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		RouteFeatures requested = (RouteFeatures) exchange.getAttributes().remove(REQUESTED);
		RouteFeatures features = (route == null || leadsToAnInstance(route.getUri()))
				? scope.resolve((route != null) ? declared(route) : null, requested) : RouteFeatures.NONE;
		exchange.getAttributes().put(RESOLVED, features);
		return features;
	}

	/**
	 * What the gateway handles without its HTTP client, such as {@code forward:} and
	 * {@code ws:}, passes as without the starter.
	 */
	private static boolean leadsToAnInstance(URI uri) {
		return Instance.isAddressedBy(uri) || Upstreams.isUpstream(uri) || "lb".equalsIgnoreCase(uri.getScheme());
	}

	/**
	 * Metadata of native routes is the user's own, whatever its keys and types.
	 */
	private static @Nullable RouteFeatures declared(Route route) {
		return (route.getMetadata().get(ROUTE_METADATA) instanceof RouteFeatures features) ? features : null;
	}

	static RouteFeatures of(ServerWebExchange exchange) {
		return exchange.getAttributeOrDefault(RESOLVED, RouteFeatures.NONE);
	}

	/**
	 * Whether the starter has anything to do with the exchange: its route has a feature
	 * or an upstream.
	 */
	static boolean concern(ServerWebExchange exchange) {
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		return !of(exchange).isEmpty() || Upstreams.isUpstream(route.getUri());
	}

}
