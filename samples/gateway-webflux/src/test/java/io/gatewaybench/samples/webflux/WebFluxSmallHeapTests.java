package io.gatewaybench.samples.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmallHeapContract;

/**
 * The contract of small heaps, on this flavour.
 */
class WebFluxSmallHeapTests extends SmallHeapContract {

	WebFluxSmallHeapTests() {
		super(new Gateway(WebFluxGateway.class, Flavour.WEBFLUX));
	}

}
