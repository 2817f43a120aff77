package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Which part of the path is the prefix, and how the upstream learns of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BasePathContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	/**
	 * With a base path, and two routes of which one strips nothing.
	 */
	private RunningGateway based;

	/**
	 * Trusts the clients of tests, and has a native route with several filters.
	 */
	private RunningGateway trusting;

	BasePathContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		List<String> properties = Gateway.route(1, "kept-route", "kept", List.of(this.upstream.url()));
		properties.addAll(List.of("gateway-bench.routes[1].strip-prefix=0", basePath()));
		this.based = start(properties.toArray(String[]::new));
		properties = this.gateway.nativeRoute(0, "the-native-route", "/t/api/**", "rr://service",
				List.of("StripPrefix=1", "StripPrefix=1", "AddGatewayHeaders"));
		properties.add(this.gateway.nativePrefix() + ".trusted-proxies=127\\.0\\.0\\.1");
		this.trusting = start(properties.toArray(String[]::new));
	}

	private RunningGateway start(String... properties) {
		return this.gateway.startWithRoute(List.of(this.upstream.url()), properties);
	}

	@AfterAll
	void stop() throws IOException {
		this.based.close();
		this.trusting.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@Test
	void thePrefixBeginsAfterTheBasePath() throws Exception {
		assertThat(target(this.based, "/base/service/x")).isEqualTo("/x");
		assertThat(target(this.based, "/base/service")).isEqualTo("/");
	}

	@Test
	void aPathOfWhichNothingIsStrippedKeepsTheBasePath() throws Exception {
		assertThat(target(this.based, "/base/kept/x")).isEqualTo("/base/kept/x");
	}

	@Test
	void aPathMayLeadUpInsideTheOneOfItsRouteAndNoFurther() throws Exception {
		assertThat(target(this.based, "/base/service/a/../x")).isEqualTo("/a/../x");
		assertThat(HttpExchange.get(this.based.port(), "/base/service/../service/x").status()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "framework", "native" })
	void aPrefixThatAClientTellsIsNotTakenForTheBasePath(String strategy) throws Exception {
		try (RunningGateway running = start(basePath(), "server.forward-headers-strategy=" + strategy)) {
			for (String prefix : List.of("/base", "/base/service", "/a", "/base/service,/admin")) {
				assertThat(HttpExchange.send(running.port(),
						"GET /base/service/x HTTP/1.1\r\nHost: gateway\r\nX-Forwarded-Prefix: %s\r\nConnection: close\r\n\r\n"
							.formatted(prefix))
					.status()).as(prefix).isEqualTo(204);
				assertThat(this.upstream.request().target()).isEqualTo("/x");
			}
		}
	}

	@Test
	void thePrefixBeginsAfterThePathOfTheServlet() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		try (RunningGateway running = start("spring.mvc.servlet.path=/base")) {
			assertThat(target(running, "/base/service/x")).isEqualTo("/x");
		}
	}

	@Test
	void theUpstreamLearnsWhoForwardedTheRequestAndThePrefix() throws Exception {
		HttpExchange.send(this.trusting.port(), "GET /service/x HTTP/1.1\r\nHost: gateway:8080\r\n"
				+ "X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Prefix: /outer\r\n\r\n");
		Message request = this.upstream.request();
		assertThat(request.target()).isEqualTo("/x");
		assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/outer,/service");
		assertThat(request.headers("X-Forwarded-For")).containsExactly("127.0.0.1,127.0.0.1");
		assertThat(request.headers("X-Forwarded-Host")).containsExactly("gateway:8080");
		assertThat(request.headers("X-Forwarded-Port")).containsExactly("8080");
		assertThat(request.headers("X-Forwarded-Proto")).containsExactly("http");
		assertThat(request.header("Forwarded")).contains("proto=http", "host=\"gateway:8080\"", "for=\"127.0.0.1:");
	}

	@Test
	void severalFiltersThatShortenThePathTellOnePrefix() throws Exception {
		HttpExchange.get(this.trusting.port(), "/t/api/x");
		Message request = this.upstream.request();
		assertThat(request.target()).isEqualTo("/x");
		assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/t/api");
	}

	@Test
	void whatATrustedClientSaysOfNobodyIsNotPassedOn() throws Exception {
		for (String forwarded : List.of("proto=http", "for=", "", ";;;", ",", "foo", "for", "=", "for=;=",
				"by=127.0.0.1, for=127.0.0.1;host=outer", "FOR=127.0.0.1;host=outer,,proto=http")) {
			assertThat(HttpExchange
				.send(this.trusting.port(),
						"GET /service/x HTTP/1.1\r\nHost: gateway\r\nForwarded: %s\r\nConnection: close\r\n\r\n"
							.formatted(forwarded))
				.status()).as(forwarded).isEqualTo(204);
			List<String> received = this.upstream.request().headers("Forwarded");
			assertThat(received).as(forwarded).hasSize(forwarded.contains("outer") ? 2 : 1);
			assertThat(received).as(forwarded)
				.allMatch((line) -> line.toLowerCase(Locale.ROOT).contains("for=") && line.contains("127.0.0.1"));
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aRouteThatLosesItsPrefixTwiceIsToldAtTheStart(CapturedOutput output) throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of("StripPrefix=1"),
				"gateway-bench.scope=all")) {
			assertThat(target(running, "/service/x/y")).isEqualTo("/y");
			assertThat(output).contains("Route 'the-native-route' loses its prefix twice");
		}
	}

	private String basePath() {
		return ((this.gateway.flavour() == Flavour.WEBFLUX) ? "spring.webflux.base-path"
				: "server.servlet.context-path") + "=/base";
	}

	private String target(RunningGateway running, String path) throws Exception {
		assertThat(HttpExchange.get(running.port(), path).status()).isEqualTo(204);
		return this.upstream.request().target();
	}

}
