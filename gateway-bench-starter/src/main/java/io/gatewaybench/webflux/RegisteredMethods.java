package io.gatewaybench.webflux;

import io.gatewaybench.internal.metrics.GatewayObservations;
import io.micrometer.common.KeyValues;

import org.springframework.cloud.gateway.filter.headers.observation.DefaultGatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;

/**
 * Observes requests to upstreams as the gateway does, but has one name for all methods
 * that are not registered.
 */
final class RegisteredMethods extends DefaultGatewayObservationConvention {

	@Override
	public KeyValues getLowCardinalityKeyValues(GatewayContext context) {
		KeyValues values = super.getLowCardinalityKeyValues(context);
		String method = context.getRequest().getMethod().name();
		String named = GatewayObservations.method(method);
		return named.equals(method) ? values : values.and("http.method", named);
	}

}
