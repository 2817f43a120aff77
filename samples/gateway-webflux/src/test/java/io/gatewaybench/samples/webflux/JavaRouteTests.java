package io.gatewaybench.samples.webflux;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringApplication;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static io.gatewaybench.webflux.GatewayFilterFunctions.addGatewayHeaders;
import static io.gatewaybench.webflux.GatewayFilterFunctions.injectGatewayMetadata;
import static io.gatewaybench.webflux.GatewayFilterFunctions.recordGatewayMetrics;
import static io.gatewaybench.webflux.GatewayFilterFunctions.stripGatewayPrefix;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Routes that are written in Java get the features that they ask for, and no others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaRouteTests {

	private final WireMockServer upstream = new WireMockServer(options().dynamicPort());

	private final HttpClient client = HttpClient.newHttpClient();

	private ConfigurableApplicationContext gateway;

	@BeforeAll
	void start() {
		this.upstream.start();
		this.upstream.stubFor(any(anyUrl())
			.willReturn(aResponse().withHeader("Content-Type", "application/json").withBody("{\"a\":1}")));
		this.gateway = SpringApplication.run(new Class<?>[] { WebFluxGateway.class, Routes.class },
				new String[] { "--spring.config.location=optional:classpath:/no-configuration/", "--server.port=0",
						"--upstream=" + this.upstream.baseUrl() });
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.upstream.stop();
	}

	@Test
	void aRouteHasTheFeaturesThatItAsksFor() throws Exception {
		HttpResponse<String> response = get("all/x");
		assertThat(response.body())
			.matches("\\{\"a\":1,\"_gateway\":\\{\"type\":\"WebFlux\",\"timestamp\":\\d+,\"processed\":true}}");
		assertThat(response.headers().firstValue("X-Gateway-Type")).hasValue("WebFlux");
		assertThat(response.headers().firstValue("X-After")).hasValue("yes");
		this.upstream.verify(getRequestedFor(urlEqualTo("/x")));
	}

	@Test
	void aRouteThatDoesNotAskIsLeftAlone() throws Exception {
		HttpResponse<String> response = get("plain/x");
		assertThat(response.body()).isEqualTo("{\"a\":1}");
		assertThat(response.headers().firstValue("X-Gateway-Type")).isEmpty();
		this.upstream.verify(getRequestedFor(urlEqualTo("/plain/x")));
	}

	@Test
	void whatAFilterOfTheRouteAnswersIsLeftAlone() throws Exception {
		HttpResponse<String> response = get("own/x");
		assertThat(response.statusCode()).isEqualTo(401);
		assertThat(response.body()).isEqualTo("{\"b\":2}");
	}

	private HttpResponse<String> get(String path) throws Exception {
		int port = this.gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return this.client.send(
				HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/%s".formatted(port, path))).build(),
				BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	static class Routes {

		private static GatewayFilter answer() {
			return (exchange, chain) -> {
				ServerHttpResponse response = exchange.getResponse();
				response.setStatusCode(HttpStatus.UNAUTHORIZED);
				response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
				return response
					.writeWith(Mono.just(response.bufferFactory().wrap("{\"b\":2}".getBytes(StandardCharsets.UTF_8))));
			};
		}

		@Bean
		RouteLocator javaRoutes(RouteLocatorBuilder builder, Environment environment) {
			String upstream = environment.getRequiredProperty("upstream");
			return builder.routes()
				.route("all",
						(route) -> route.path("/all/**")
							.filters((filters) -> filters.filter(stripGatewayPrefix())
								.filter(injectGatewayMetadata())
								.addResponseHeader("X-After", "yes")
								.filter(addGatewayHeaders())
								.filter(recordGatewayMetrics()))
							.uri(upstream))
				.route("own",
						(route) -> route.path("/own/**")
							.filters((filters) -> filters.filter(injectGatewayMetadata()).filter(answer()))
							.uri(upstream))
				.route("plain", (route) -> route.path("/plain/**").uri(upstream))
				.build();
		}

	}

}
