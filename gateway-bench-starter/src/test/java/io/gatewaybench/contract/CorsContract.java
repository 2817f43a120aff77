package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests from pages of other origins, as the application allows them. The index takes
 * part in the mappings that decide this.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CorsContract {

	private static final String ALLOWED = "https://page.example";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway indexed;

	private RunningGateway unindexed;

	CorsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.indexed = start(true);
		this.unindexed = start(false);
	}

	@AfterAll
	void stop() throws IOException {
		this.indexed.close();
		this.unindexed.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theGatewayAnswersAPreflightRequest(boolean index) throws Exception {
		RunningGateway running = index ? this.indexed : this.unindexed;
		Message response = preflight(running, ALLOWED);
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.headers("Access-Control-Allow-Origin")).containsExactly(ALLOWED);
		assertThat(response.header("Access-Control-Allow-Methods")).contains("PUT");
		assertThat(this.upstream.pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anotherOriginDoesNotReachTheUpstream(boolean index) throws Exception {
		RunningGateway running = index ? this.indexed : this.unindexed;
		assertThat(preflight(running, "https://evil.example").status()).isEqualTo(403);
		assertThat(get(running, "https://evil.example").status()).isEqualTo(403);
		assertThat(this.upstream.pendingRequests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPageOfAnAllowedOriginMayReadTheResponse(boolean index) throws Exception {
		RunningGateway running = index ? this.indexed : this.unindexed;
		Message response = get(running, ALLOWED);
		assertThat(response.text()).isEqualTo("ok");
		assertThat(response.headers("Access-Control-Allow-Origin")).containsExactly(ALLOWED);
		assertThat(response.headers("X-Gateway-Type")).hasSize(1);
	}

	/**
	 * Of a body that breaks off either nothing has left, or it is a broken transfer.
	 */
	@Test
	void aPageOfAnAllowedOriginMayReadThatTheUpstreamBrokeOff() throws Exception {
		for (String type : List.of("application/json", "text/plain")) {
			this.upstream.answer((out) -> {
				out.write("HTTP/1.1 200 OK\r\nX-Upstream: 1\r\nContent-Type: %s\r\nContent-Length: 100\r\n\r\n{\"a\":"
					.formatted(type)
					.getBytes(StandardCharsets.US_ASCII));
				out.flush();
				throw new IOException("Broken off");
			});
			try {
				Message response = get(this.indexed, ALLOWED);
				Problems.assertProblem(response, 502, Problems.BROKEN);
				assertThat(response.headers("Access-Control-Allow-Origin")).containsExactly(ALLOWED);
				assertThat(response.headers("X-Upstream")).isEmpty();
			}
			catch (EOFException ex) {
				assertThat(type).isEqualTo("text/plain");
			}
		}
	}

	private RunningGateway start(boolean index) {
		List<String> properties = new ArrayList<>(List.of("gateway-bench.route-index.enabled=" + index));
		if (this.gateway.flavour() == Flavour.WEBFLUX) {
			String cors = "spring.cloud.gateway.server.webflux.globalcors.";
			properties.addAll(List.of(cors + "add-to-simple-url-handler-mapping=true",
					cors + "cors-configurations.[/**].allowed-origins=" + ALLOWED,
					cors + "cors-configurations.[/**].allowed-methods=GET,PUT"));
		}
		else {
			properties.add("spring.main.sources=" + ServletCors.class.getName());
		}
		return this.gateway.startWithRoute(List.of(this.upstream.url()), properties.toArray(String[]::new));
	}

	private static Message preflight(RunningGateway running, String origin) throws IOException {
		return HttpExchange.send(running.port(), "OPTIONS /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
				+ "Origin: %s\r\nAccess-Control-Request-Method: PUT\r\n\r\n".formatted(origin));
	}

	private static Message get(RunningGateway running, String origin) throws IOException {
		return HttpExchange.send(running.port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nOrigin: %s\r\n\r\n"
					.formatted(origin));
	}

	@Configuration(proxyBeanMethods = false)
	static class ServletCors {

		@Bean
		WebMvcConfigurer cors() {
			return new WebMvcConfigurer() {

				@Override
				public void addCorsMappings(CorsRegistry registry) {
					registry.addMapping("/**").allowedOrigins(ALLOWED).allowedMethods("GET", "PUT");
				}

			};
		}

	}

}
