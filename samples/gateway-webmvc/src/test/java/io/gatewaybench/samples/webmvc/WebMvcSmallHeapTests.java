package io.gatewaybench.samples.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmallHeapContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract of small heaps, on this flavour.
 */
@EnabledIfSystemProperty(named = "gateway-bench.small-heap", matches = "true")
class WebMvcSmallHeapTests extends SmallHeapContract {

	WebMvcSmallHeapTests() {
		super(new Gateway(WebMvcGateway.class, Flavour.WEBMVC));
	}

}
