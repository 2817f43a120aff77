package io.gatewaybench.contract;

import io.gatewaybench.Flavour;
import org.junit.jupiter.api.Nested;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * The contracts that depend on the client, with each client that there is for WebMVC. All
 * of them are on the class path here; the sample has one.
 */
class WebMvcClientsTests {

	private static Gateway with(String... properties) {
		String[] all = new String[properties.length + 1];
		System.arraycopy(properties, 0, all, 1, properties.length);
		all[0] = "spring.cloud.gateway.server.webflux.enabled=false";
		return new Gateway(Application.class, Flavour.WEBMVC).with(all);
	}

	@Nested
	class Apache extends HttpClientContract {

		Apache() {
			super(with("spring.http.clients.imperative.factory=http-components"));
		}

	}

	@Nested
	class ApacheOnVirtualThreads extends HttpClientContract {

		ApacheOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=http-components",
					"spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class Jetty extends HttpClientContract {

		Jetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class JettyOnVirtualThreads extends HttpClientContract {

		JettyOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=jetty", "spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class Reactor extends HttpClientContract {

		Reactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class Jdk extends HttpClientContract {

		Jdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Nested
	class JdkOnVirtualThreads extends HttpClientContract {

		JdkOnVirtualThreads() {
			super(with("spring.http.clients.imperative.factory=jdk", "spring.threads.virtual.enabled=true"));
		}

	}

	@Nested
	class CompressionByJetty extends CompressionContract {

		CompressionByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class TransferByJetty extends TransferContract {

		TransferByJetty() {
			super(with("spring.http.clients.imperative.factory=jetty"));
		}

	}

	@Nested
	class CompressionByReactor extends CompressionContract {

		CompressionByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class TransferByReactor extends TransferContract {

		TransferByReactor() {
			super(with("spring.http.clients.imperative.factory=reactor"));
		}

	}

	@Nested
	class CompressionByJdk extends CompressionContract {

		CompressionByJdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Nested
	class TransferByJdk extends TransferContract {

		TransferByJdk() {
			super(with("spring.http.clients.imperative.factory=jdk"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
