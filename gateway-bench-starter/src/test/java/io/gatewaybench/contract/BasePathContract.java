package io.gatewaybench.contract;

import java.util.List;
import java.util.Locale;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
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
class BasePathContract {

	private final Gateway gateway;

	BasePathContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void thePrefixBeginsAfterTheBasePath() throws Exception {
		assertThat(target(basePath(), "/base/service/x", 1)).isEqualTo("/x");
		assertThat(target(basePath(), "/base/service", 1)).isEqualTo("/");
	}

	@Test
	void aPathOfWhichNothingIsStrippedKeepsTheBasePath() throws Exception {
		assertThat(target(basePath(), "/base/service/x", 0)).isEqualTo("/base/service/x");
	}

	@Test
	void aPathMayLeadUpInsideTheOneOfItsRouteAndNoFurther() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()), basePath())) {
			assertThat(HttpExchange.get(running.port(), "/base/service/a/../x").status()).isEqualTo(204);
			assertThat(upstream.request().target()).isEqualTo("/a/../x");
			assertThat(HttpExchange.get(running.port(), "/base/service/../service/x").status()).isEqualTo(400);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "framework", "native" })
	void aPrefixThatAClientTellsIsNotTakenForTheBasePath(String strategy) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()), basePath(),
						"server.forward-headers-strategy=" + strategy)) {
			for (String prefix : List.of("/base", "/base/service", "/a", "/base/service,/admin")) {
				assertThat(HttpExchange.send(running.port(),
						"GET /base/service/x HTTP/1.1\r\nHost: gateway\r\nX-Forwarded-Prefix: %s\r\nConnection: close\r\n\r\n"
							.formatted(prefix))
					.status()).as(prefix).isEqualTo(204);
				assertThat(upstream.request().target()).isEqualTo("/x");
			}
		}
	}

	@Test
	void thePrefixBeginsAfterThePathOfTheServlet() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		assertThat(target("spring.mvc.servlet.path=/base", "/base/service/x", 1)).isEqualTo("/x");
	}

	@Test
	void theUpstreamLearnsWhoForwardedTheRequestAndThePrefix() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()),
						this.gateway.nativePrefix() + ".trusted-proxies=127\\.0\\.0\\.1")) {
			HttpExchange.send(running.port(), "GET /service/x HTTP/1.1\r\nHost: gateway:8080\r\n"
					+ "X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Prefix: /outer\r\n\r\n");
			Message request = upstream.request();
			assertThat(request.target()).isEqualTo("/x");
			assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/outer,/service");
			assertThat(request.headers("X-Forwarded-For")).containsExactly("127.0.0.1,127.0.0.1");
			assertThat(request.headers("X-Forwarded-Host")).containsExactly("gateway:8080");
			assertThat(request.headers("X-Forwarded-Port")).containsExactly("8080");
			assertThat(request.headers("X-Forwarded-Proto")).containsExactly("http");
			assertThat(request.header("Forwarded")).contains("proto=http", "host=\"gateway:8080\"", "for=\"127.0.0.1:");
		}
	}

	@Test
	void whatATrustedClientSaysOfNobodyIsNotPassedOn() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()),
						this.gateway.nativePrefix() + ".trusted-proxies=127\\.0\\.0\\.1")) {
			for (String forwarded : List.of("proto=http", "for=", "", ";;;", ",", "foo", "for", "=", "for=;=",
					"by=127.0.0.1, for=127.0.0.1;host=outer", "FOR=127.0.0.1;host=outer,,proto=http")) {
				assertThat(HttpExchange
					.send(running.port(),
							"GET /service/x HTTP/1.1\r\nHost: gateway\r\nForwarded: %s\r\nConnection: close\r\n\r\n"
								.formatted(forwarded))
					.status()).as(forwarded).isEqualTo(204);
				List<String> received = upstream.request().headers("Forwarded");
				assertThat(received).as(forwarded).hasSize(forwarded.contains("outer") ? 2 : 1);
				assertThat(received).as(forwarded)
					.allMatch((line) -> line.toLowerCase(Locale.ROOT).contains("for=") && line.contains("127.0.0.1"));
			}
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aRouteThatLosesItsPrefixTwiceIsToldAtTheStart(CapturedOutput output) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithNativeRoute(upstream.url(), List.of("StripPrefix=1"),
						"gateway-bench.scope=all")) {
			HttpExchange.get(running.port(), "/service/x/y");
			assertThat(upstream.request().target()).isEqualTo("/y");
			assertThat(output).contains("Route 'the-native-route' loses its prefix twice");
		}
	}

	private String basePath() {
		return ((this.gateway.flavour() == Flavour.WEBFLUX) ? "spring.webflux.base-path"
				: "server.servlet.context-path") + "=/base";
	}

	private String target(String basePath, String path, int parts) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()), basePath,
						"gateway-bench.routes[0].strip-prefix=" + parts)) {
			assertThat(HttpExchange.get(running.port(), path).status()).isEqualTo(204);
			return upstream.request().target();
		}
	}

}
