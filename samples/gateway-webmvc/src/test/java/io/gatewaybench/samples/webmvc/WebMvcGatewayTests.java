package io.gatewaybench.samples.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.GatewayContracts;

/**
 * The contracts of the starter, on this flavour.
 */
class WebMvcGatewayTests extends GatewayContracts {

	WebMvcGatewayTests() {
		super(new Gateway(WebMvcGateway.class, Flavour.WEBMVC));
	}

}
