package io.gatewaybench.samples.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmokeContracts;

/**
 * The contracts that {@code .ci/matrix} runs where a library is missing. They are among
 * those of {@link WebMvcGatewayTests}, so no build runs these by itself.
 */
class WebMvcSmoke extends SmokeContracts {

	WebMvcSmoke() {
		super(new Gateway(WebMvcGateway.class, Flavour.WEBMVC));
	}

}
