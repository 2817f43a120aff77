package io.gatewaybench.samples.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmokeContracts;

/**
 * The contracts that {@code .ci/matrix} runs where a library is missing. They are among
 * those of {@link WebFluxGatewayTests}, so no build runs these by itself.
 */
class WebFluxSmoke extends SmokeContracts {

	WebFluxSmoke() {
		super(new Gateway(WebFluxGateway.class, Flavour.WEBFLUX));
	}

}
