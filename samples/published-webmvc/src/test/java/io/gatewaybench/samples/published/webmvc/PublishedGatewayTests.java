package io.gatewaybench.samples.published.webmvc;

import io.gatewaybench.samples.service.PublishedGatewayContract;

/**
 * The contract of the gateway of P1, on this flavour.
 */
class PublishedGatewayTests extends PublishedGatewayContract {

	PublishedGatewayTests() {
		super(PublishedGateway.class, "WebMVC");
	}

}
