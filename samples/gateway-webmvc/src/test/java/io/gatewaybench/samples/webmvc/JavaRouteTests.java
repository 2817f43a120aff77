package io.gatewaybench.samples.webmvc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static io.gatewaybench.webmvc.GatewayFilterFunctions.injectGatewayMetadata;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.cloud.gateway.server.mvc.filter.AfterFilterFunctions.addResponseHeader;
import static org.springframework.cloud.gateway.server.mvc.filter.AfterFilterFunctions.modifyResponseBody;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.addRequestHeader;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Routes that are written in Java get the field wherever among their filters they ask for
 * it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaRouteTests {

	private static final String BODY = "\\{\"a\":1,\"_gateway\":"
			+ "\\{\"type\":\"WebMVC\",\"timestamp\":\\d+,\"processed\":true}}";

	private final WireMockServer upstream = new WireMockServer(options().dynamicPort());

	private final HttpClient client = HttpClient.newHttpClient();

	private ConfigurableApplicationContext gateway;

	@BeforeAll
	void start() {
		this.upstream.start();
		this.upstream.stubFor(any(anyUrl())
			.willReturn(aResponse().withHeader("Content-Type", "application/json").withBody("{\"a\":1}")));
		this.gateway = SpringApplication.run(new Class<?>[] { WebMvcGateway.class, Routes.class },
				new String[] { "--spring.config.location=optional:classpath:/no-configuration/", "--server.port=0",
						"--upstream=" + this.upstream.baseUrl() });
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.upstream.stop();
	}

	@ParameterizedTest
	@ValueSource(strings = { "first", "between", "last" })
	void theFieldIsAddedWhereverItIsAskedFor(String path) throws Exception {
		HttpResponse<String> response = get(path);
		assertThat(response.body()).matches(BODY);
		assertThat(response.headers().firstValue("X-After")).hasValue("yes");
		assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(response.body().length());
	}

	@Test
	void aFilterThatReplacesTheBodyIsGivenTheNewOne() throws Exception {
		assertThat(get("modified").body()).startsWith("{\"A\":1,\"_GATEWAY\":{").endsWith("\"PROCESSED\":TRUE}}");
	}

	@Test
	void aRouteThatDoesNotAskIsLeftAlone() throws Exception {
		assertThat(get("plain").body()).isEqualTo("{\"a\":1}");
	}

	@Test
	void whatAFilterOfTheRouteAnswersIsLeftAlone() throws Exception {
		HttpResponse<String> response = get("own");
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

		@Bean
		RouterFunction<ServerResponse> javaRoutes(Environment environment) {
			String upstream = environment.getRequiredProperty("upstream");
			RouterFunction<ServerResponse> first = route("first").GET("/first", http())
				.filter(injectGatewayMetadata())
				.before(uri(upstream))
				.before(addRequestHeader("X-Before", "yes"))
				.after(addResponseHeader("X-After", "yes"))
				.build();
			RouterFunction<ServerResponse> between = route("between").GET("/between", http())
				.before(uri(upstream))
				.after(addResponseHeader("X-After", "yes"))
				.filter(injectGatewayMetadata())
				.before(addRequestHeader("X-Before", "yes"))
				.build();
			RouterFunction<ServerResponse> last = route("last").GET("/last", http())
				.after(addResponseHeader("X-After", "yes"))
				.before(uri(upstream))
				.before(addRequestHeader("X-Before", "yes"))
				.filter(injectGatewayMetadata())
				.build();
			RouterFunction<ServerResponse> modified = route("modified").GET("/modified", http())
				.filter(injectGatewayMetadata())
				.after(modifyResponseBody(String.class, String.class, null,
						(request, response, body) -> body.toUpperCase(Locale.ROOT)))
				.before(uri(upstream))
				.before(addRequestHeader("X-Before", "yes"))
				.build();
			RouterFunction<ServerResponse> plain = route("plain").GET("/plain", http()).before(uri(upstream)).build();
			RouterFunction<ServerResponse> own = route("own").GET("/own", http())
				.filter(injectGatewayMetadata())
				.filter((request, next) -> ServerResponse.status(HttpStatus.UNAUTHORIZED)
					.contentType(MediaType.APPLICATION_JSON)
					.body("{\"b\":2}"))
				.before(uri(upstream))
				.build();
			return own.and(first).and(between).and(last).and(modified).and(plain);
		}

	}

}
