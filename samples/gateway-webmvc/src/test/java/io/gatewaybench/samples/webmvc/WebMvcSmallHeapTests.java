package io.gatewaybench.samples.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmallHeapContract;

/**
 * The contract of small heaps, on this flavour.
 */
class WebMvcSmallHeapTests extends SmallHeapContract {

	WebMvcSmallHeapTests() {
		super(new Gateway(WebMvcGateway.class, Flavour.WEBMVC));
	}

}
