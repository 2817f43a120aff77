package io.gatewaybench.samples.webmvc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.cloud.gateway.server.mvc.filter.AfterFilterFunctions.modifyResponseBody;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.addRequestHeader;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * A body that a filter replaces is the one that the client gets. The gateway by itself
 * sends the one that the filter has read to its end, which is nothing, if a filter inside
 * it has rebuilt the request.
 */
class ReplacedBodyTests {

	@Test
	void aFilterReplacesTheBodyOutsideAFilterThatRebuildsTheRequest() throws Exception {
		WireMockServer upstream = new WireMockServer(options().dynamicPort());
		upstream.start();
		upstream
			.stubFor(any(anyUrl()).willReturn(aResponse().withHeader("Content-Type", "text/plain").withBody("hello")));
		try (ConfigurableApplicationContext gateway = SpringApplication.run(
				new Class<?>[] { WebMvcGateway.class, Route.class },
				new String[] { "--spring.config.location=optional:classpath:/no-configuration/", "--server.port=0",
						"--gateway-bench.scope=all", "--gateway-bench.strip-prefix.enabled=false",
						"--upstream=" + upstream.baseUrl() })) {
			int port = gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			HttpResponse<String> response = HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/x".formatted(port))).build(),
						BodyHandlers.ofString());
			assertThat(response.body()).isEqualTo("HELLO");
		}
		finally {
			upstream.stop();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Route {

		@Bean
		RouterFunction<ServerResponse> modifyingRoute(Environment environment) {
			return route("modifying").GET("/x", http())
				.after(modifyResponseBody(String.class, String.class, null,
						(request, response, body) -> body.toUpperCase(Locale.ROOT)))
				.before(uri(environment.getRequiredProperty("upstream")))
				.before(addRequestHeader("X-Rebuilt", "yes"))
				.build();
		}

	}

}
