package io.gatewaybench.webmvc;

import io.gatewaybench.internal.metrics.GatewayObservations;
import io.micrometer.common.KeyValue;

import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.observation.ClientRequestObservationContext;
import org.springframework.http.client.observation.DefaultClientRequestObservationConvention;

/**
 * Observes requests to upstreams as Spring does, but has one name for all methods that
 * are not registered.
 */
final class RegisteredMethods extends DefaultClientRequestObservationConvention {

	RegisteredMethods(String name) {
		super(name);
	}

	@Override
	protected KeyValue method(ClientRequestObservationContext context) {
		ClientHttpRequest request = context.getCarrier();
		return (request != null) ? KeyValue.of("method", GatewayObservations.method(request.getMethod().name()))
				: super.method(context);
	}

}
