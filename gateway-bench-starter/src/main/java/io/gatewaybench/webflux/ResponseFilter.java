package io.gatewaybench.webflux;

import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;

/**
 * Decides which features the exchange has, and puts those of the response in its way.
 */
final class ResponseFilter implements GlobalFilter, Ordered {

	/**
	 * Outside the gateway's response caches (-4 and -3), so that what they keep is the
	 * body of the upstream and not a field that belongs to one response.
	 */
	static final int ORDER = -10;

	private final FilterSettings settings;

	private final GatewayMetrics metrics;

	ResponseFilter(FilterSettings settings, GatewayMetrics metrics) {
		this.settings = settings;
		this.metrics = metrics;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		RouteFeatures features = ExchangeFeatures.resolve(exchange, this.settings.scope());
		if (!ExchangeFeatures.concern(exchange)) {
			return chain.filter(exchange);
		}
		return chain.filter(exchange.mutate()
			.response(new FeatureResponse(exchange, features, this.settings, this.metrics))
			.build());
	}

}
