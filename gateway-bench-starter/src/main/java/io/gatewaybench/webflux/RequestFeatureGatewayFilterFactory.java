package io.gatewaybench.webflux;

import io.gatewaybench.filter.Feature;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;

/**
 * Filter by which a native route asks for a feature.
 */
final class RequestFeatureGatewayFilterFactory extends AbstractGatewayFilterFactory<Object> {

	private final Feature feature;

	RequestFeatureGatewayFilterFactory(Feature feature) {
		super(Object.class);
		this.feature = feature;
	}

	@Override
	public String name() {
		return this.feature.filterName();
	}

	@Override
	public GatewayFilter apply(Object config) {
		return new OrderedGatewayFilter((exchange, chain) -> {
			if (ExchangeFilter.find(exchange) != null) {
				ExchangeFilter.toRoute(exchange).request(this.feature);
			}
			return chain.filter(exchange);
		}, ResponseFilter.ORDER - 1);
	}

}
