package io.gatewaybench.samples.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.GatewayContracts;

/**
 * The contracts of the starter, on this flavour.
 */
class WebFluxGatewayTests extends GatewayContracts {

	WebFluxGatewayTests() {
		super(new Gateway(WebFluxGateway.class, Flavour.WEBFLUX));
	}

}
