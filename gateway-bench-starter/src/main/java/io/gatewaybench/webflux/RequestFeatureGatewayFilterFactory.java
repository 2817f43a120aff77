package io.gatewaybench.webflux;

import io.gatewaybench.filter.Feature;

import org.springframework.cloud.gateway.filter.GatewayFilter;
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
		return GatewayFilterFunctions.request(this.feature);
	}

}
