package io.gatewaybench.samples.service.webflux;

import java.util.List;

import io.gatewaybench.samples.service.ServiceContract;

/**
 * The contract of the services, on this flavour.
 */
class WebFluxServiceTests extends ServiceContract {

	WebFluxServiceTests() {
		super(WebFluxService.class, List.of("webflux-webclient", "webflux-java-http-client", "webflux-apache-client"));
	}

}
