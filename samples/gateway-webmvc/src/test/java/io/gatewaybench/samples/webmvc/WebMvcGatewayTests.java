package io.gatewaybench.samples.webmvc;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.BodyRewriteContract;
import io.gatewaybench.contract.Gateway;
import io.gatewaybench.contract.HeadersContract;
import io.gatewaybench.contract.MetricsContract;
import io.gatewaybench.contract.OptInContract;
import io.gatewaybench.contract.RoutingContract;
import io.gatewaybench.contract.UpstreamContract;
import org.junit.jupiter.api.Nested;

/**
 * The contracts of the starter, on this flavour.
 */
class WebMvcGatewayTests {

	private static final Gateway GATEWAY = new Gateway(WebMvcGateway.class, Flavour.WEBMVC);

	@Nested
	class Routing extends RoutingContract {

		Routing() {
			super(GATEWAY);
		}

	}

	@Nested
	class Headers extends HeadersContract {

		Headers() {
			super(GATEWAY);
		}

	}

	@Nested
	class BodyRewriteByJackson3 extends BodyRewriteContract {

		BodyRewriteByJackson3() {
			super(GATEWAY, "jackson3");
		}

	}

	@Nested
	class BodyRewriteByJackson2 extends BodyRewriteContract {

		BodyRewriteByJackson2() {
			super(GATEWAY, "jackson2");
		}

	}

	@Nested
	class Upstream extends UpstreamContract {

		Upstream() {
			super(GATEWAY);
		}

	}

	@Nested
	class OptIn extends OptInContract {

		OptIn() {
			super(GATEWAY);
		}

	}

	@Nested
	class Metrics extends MetricsContract {

		Metrics() {
			super(GATEWAY);
		}

	}

}
