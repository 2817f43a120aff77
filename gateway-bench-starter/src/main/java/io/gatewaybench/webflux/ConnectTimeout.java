package io.gatewaybench.webflux;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * The gateway's client takes its connect timeout from the metadata of the route. The
 * upstream's timeout goes there, unless the route has its own.
 */
final class ConnectTimeout {

	private ConnectTimeout() {
	}

	static Map<String, Object> metadata(Duration timeout) {
		return Map.of(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR, millis(timeout));
	}

	static Integer millis(Duration timeout) {
		return (int) timeout.toMillis();
	}

	/**
	 * Native routes have no such metadata, so the client is shown a copy of the route.
	 */
	static void apply(ServerWebExchange exchange, Route route, Duration timeout) {
		if (route.getMetadata().containsKey(RouteMetadataUtils.CONNECT_TIMEOUT_ATTR)) {
			return;
		}
		Map<String, Object> metadata = new HashMap<>(route.getMetadata());
		metadata.putAll(metadata(timeout));
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async()
						.id(route.getId())
						.uri(route.getUri())
						.order(route.getOrder())
						.asyncPredicate(route.getPredicate())
						.replaceFilters(route.getFilters())
						.replaceMetadata(metadata)
						.build());
	}

}
