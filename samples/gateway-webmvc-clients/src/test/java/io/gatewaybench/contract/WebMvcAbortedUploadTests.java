package io.gatewaybench.contract;

import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.UploadsContract.Abort;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.DispatcherType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tomcat makes an error page for a client that has closed its connection in the middle of
 * an upload, which costs more than the request.
 */
class WebMvcAbortedUploadTests {

	private static final int UPLOADS = 20;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aClientThatIsGoneGetsNoErrorPage(boolean virtualThreads) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = new Gateway(Application.class, Flavour.WEBMVC).start(
						"spring.http.clients.imperative.factory=http-components",
						"spring.threads.virtual.enabled=" + virtualThreads,
						"gateway-bench.upstreams.service.instances[0]=" + upstream.url(),
						"gateway-bench.routes[0].id=the-route", "gateway-bench.routes[0].path=/service/**",
						"gateway-bench.routes[0].upstream=service")) {
			for (int i = 0; i < UPLOADS; i++) {
				Abort.BY_CLOSING.upload(running.port());
			}
			UploadsContract.awaitAborted(running, UPLOADS);
			assertThat(running.context().getBean(AtomicInteger.class)).hasValue(0);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		AtomicInteger errorPages() {
			return new AtomicInteger();
		}

		@Bean
		FilterRegistrationBean<?> counter(AtomicInteger errorPages) {
			FilterRegistrationBean<?> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				errorPages.incrementAndGet();
				chain.doFilter(request, response);
			});
			registration.setDispatcherTypes(DispatcherType.ERROR);
			return registration;
		}

	}

}
