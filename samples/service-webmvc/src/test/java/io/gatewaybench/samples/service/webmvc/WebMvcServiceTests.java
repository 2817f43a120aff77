package io.gatewaybench.samples.service.webmvc;

import java.util.List;

import io.gatewaybench.samples.service.ServiceContract;
import org.junit.jupiter.api.Nested;

/**
 * The contract of the services, on this flavour.
 */
class WebMvcServiceTests {

	private static final List<String> PROXIES = List.of("sync", "sync-apache-client", "completable-future-java-client",
			"completable-future-apache-client");

	@Nested
	class OnPlatformThreads extends ServiceContract {

		OnPlatformThreads() {
			super(WebMvcService.class, PROXIES, "spring.threads.virtual.enabled=false");
		}

	}

	@Nested
	class OnVirtualThreads extends ServiceContract {

		OnVirtualThreads() {
			super(WebMvcService.class, PROXIES, "spring.threads.virtual.enabled=true");
		}

	}

}
