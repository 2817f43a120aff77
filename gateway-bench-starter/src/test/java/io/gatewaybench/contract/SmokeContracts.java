package io.gatewaybench.contract;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contracts that need no library beside the gateway's own. JUnit looks at all nested
 * classes of a test, also at those that it does not run, and none of these mentions a
 * class that may be missing.
 */
public abstract class SmokeContracts {

	/**
	 * What {@code .ci/matrix} runs on every class path.
	 */
	private static final String SMOKE = "smoke";

	/**
	 * What it leaves out on Jetty: what a container does itself, each in its own way.
	 */
	static final String CONTAINER = "container";

	static {
		// Most of what tests wait for happens within a few milliseconds, and the default
		// is 100
		Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
	}

	final Gateway gateway;

	protected SmokeContracts(Gateway gateway) {
		this.gateway = gateway;
	}

	@Nested
	@Tag(SMOKE)
	class Routing extends RoutingContract {

		Routing() {
			super(SmokeContracts.this.gateway);
		}

	}

	@Nested
	@Tag(SMOKE)
	class Headers extends HeadersContract {

		Headers() {
			super(SmokeContracts.this.gateway);
		}

	}

	@Nested
	@Tag(SMOKE)
	class BodyRewriteBySplice extends SpliceRewriteContract {

		BodyRewriteBySplice() {
			super(SmokeContracts.this.gateway);
		}

	}

	@Nested
	@Tag(SMOKE)
	class Responses extends ResponsesContract {

		Responses() {
			super(onVirtualThreads());
		}

	}

	@Nested
	@Tag(SMOKE)
	@Tag(CONTAINER)
	class RequestBytes extends RequestBytesContract {

		RequestBytes() {
			super(onVirtualThreads());
		}

	}

	@Nested
	@Tag(SMOKE)
	@Tag(CONTAINER)
	class RequestSafety extends RequestSafetyContract {

		RequestSafety() {
			super(onVirtualThreads());
		}

	}

	/**
	 * As the sample of WebMVC runs.
	 */
	Gateway onVirtualThreads() {
		return this.gateway.with("spring.threads.virtual.enabled=true");
	}

}
