package io.gatewaybench.samples.webflux;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.SmallHeapContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract of small heaps, on this flavour.
 */
@EnabledIfSystemProperty(named = "gateway-bench.small-heap", matches = "true")
class WebFluxSmallHeapTests extends SmallHeapContract {

	WebFluxSmallHeapTests() {
		super(new Gateway(WebFluxGateway.class, Flavour.WEBFLUX));
	}

}
