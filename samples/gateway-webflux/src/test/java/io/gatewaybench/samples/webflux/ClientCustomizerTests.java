package io.gatewaybench.samples.webflux;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application tells the gateway's client holds on the starter's routes, too.
 */
class ClientCustomizerTests {

	@Test
	void headersOfTheClientReachTheUpstreamAndItsCallbackHasTheLastWord() throws Exception {
		WireMockServer upstream = new WireMockServer(options().dynamicPort());
		upstream.start();
		upstream.stubFor(any(anyUrl()).willReturn(ok()));
		try (ConfigurableApplicationContext gateway = SpringApplication.run(
				new Class<?>[] { WebFluxGateway.class, Customizer.class },
				new String[] { "--spring.config.location=optional:classpath:/no-configuration/", "--server.port=0",
						"--gateway-bench.upstreams.service.instances[0]=" + upstream.baseUrl(),
						"--gateway-bench.routes[0].id=service", "--gateway-bench.routes[0].path=/service/**",
						"--gateway-bench.routes[0].upstream=service" })) {
			URI uri = URI.create("http://127.0.0.1:%s/service/x"
				.formatted(gateway.getEnvironment().getRequiredProperty("local.server.port")));
			HttpRequest request = HttpRequest.newBuilder(uri).header("X-Signature", "of the client").build();
			assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
			var received = upstream.getAllServeEvents().getFirst().getRequest().getHeaders();
			assertThat(received.getHeader("X-Application").values()).containsExactly("one");
			assertThat(received.getHeader("X-Signature").values()).containsExactly("of the gateway");
		}
		finally {
			upstream.stop();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizer {

		@Bean
		HttpClientCustomizer applicationClient() {
			return (client) -> client.headers((headers) -> headers.add("X-Application", "one"))
				.doOnRequest((request, connection) -> request.requestHeaders().set("X-Signature", "of the gateway"));
		}

	}

}
