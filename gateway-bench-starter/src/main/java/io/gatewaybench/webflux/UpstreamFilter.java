package io.gatewaybench.webflux;

import java.net.URI;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides where the request goes: the instance of the upstream and the path there.
 */
final class UpstreamFilter implements GlobalFilter, Ordered {

	/**
	 * After the gateway has merged route and request into one URL, before its own load
	 * balancer (10150) and the client.
	 */
	static final int ORDER = RouteToRequestUrlFilter.ROUTE_TO_URL_FILTER_ORDER + 100;

	private final Upstreams upstreams;

	private final GatewayMetrics metrics;

	UpstreamFilter(Upstreams upstreams, GatewayMetrics metrics) {
		this.upstreams = upstreams;
		this.metrics = metrics;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		RouteFeatures features = ExchangeFeatures.of(exchange);
		Route route = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
		if (Upstreams.isUpstream(route.getUri())) {
			Upstream upstream = this.upstreams.get(route.getUri());
			Instance instance = upstream.next();
			send(exchange, instance, features);
			return chain.filter(exchange).doOnTerminate(() -> count(upstream, instance, exchange));
		}
		if (!features.isEmpty()) {
			URI merged = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
			send(exchange, Instance.of(merged), features);
		}
		return chain.filter(exchange);
	}

	/**
	 * Path and query are those of the request, because the gateway parses and sorts the
	 * query when it merges route and request, and makes one slash of two.
	 */
	private static void send(ServerWebExchange exchange, Instance instance, RouteFeatures features) {
		URI request = exchange.getRequest().getURI();
		ServerWebExchangeUtils.addOriginalRequestUrl(exchange, request);
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR,
					instance.target(features.upstreamPath(request.getRawPath()), request.getRawQuery()));
	}

	private void count(Upstream upstream, Instance instance, ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		this.metrics.upstream(upstream.name(), instance.authority(), (status != null) ? status.value() : 0);
	}

}
