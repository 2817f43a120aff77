package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.filter.GatewayHeadersCustomizer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which headers are set, and which stay as they were.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeadersContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n%s\r\nok";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	/**
	 * With a bean of the application.
	 */
	private RunningGateway customized;

	HeadersContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		List<String> tenant = this.gateway.nativeRoute(0, "the-native-route", "/native/**", "rr://service",
				List.of("StripPrefix=1", "SetRequestHeader=X-Tenant, of the route", "RemoveRequestHeader=X-Secret",
						"AddGatewayHeaders"));
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), tenant.toArray(String[]::new));
		this.customized = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"spring.main.sources=" + Customizer.class.getName());
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.customized.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.upstream.answer(OK.formatted(""));
	}

	@Test
	void theTypeOfTheGatewayIsToldToTheUpstream() throws Exception {
		HttpExchange.get(this.running.port(), "/service/x");
		assertThat(this.upstream.request().headers("X-Gateway-Type")).containsExactly(label());
	}

	@Test
	void typeInstanceAndServerAreToldToTheClient() throws Exception {
		Message response = HttpExchange.get(this.running.port(), "/service/x");
		assertThat(response.headers("X-Gateway-Type")).containsExactly(label());
		assertThat(response.headers("X-Gateway-Instance")).containsExactly("the-gateway");
		assertThat(response.headers("X-Served-By")).containsExactly("Spring-Cloud-Gateway-" + label());
	}

	@Test
	void aConfiguredHeaderReplacesTheOneThatIsThere() throws Exception {
		this.upstream.answer(OK.formatted("X-Gateway-Type: forged\r\nx-gateway-type: again\r\n"));
		Message response = HttpExchange.send(this.running.port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nX-Gateway-Type: forged\r\nConnection: close\r\n\r\n");
		assertThat(response.headers("X-Gateway-Type")).containsExactly(label());
		assertThat(this.upstream.request().headers("X-Gateway-Type")).containsExactly(label());
	}

	@Test
	void aHeaderInTwoSpellingsIsOneHeaderForEveryRule() throws Exception {
		this.upstream.answer(OK.formatted(
				"X-SERVED-BY: forged\r\nx-served-by: again\r\nKeep-Alive: 1\r\nkeep-alive: 2\r\nX-A: 1\r\nx-a: 2\r\n"));
		Message response = HttpExchange.send(this.running.port(), """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				X-Gateway-Type: forged\r
				x-gateway-type: again\r
				X-Kept: 1\r
				x-kept: 2\r
				Forwarded: for=10.0.0.1\r
				forwarded: for=10.0.0.2\r
				X-Forwarded-For: 10.0.0.1\r
				x-forwarded-for: 10.0.0.2\r
				TE: gzip\r
				te: deflate\r
				Proxy-Authorization: Basic Zm9vOmJhcg==\r
				proxy-authorization: Basic Zm9vOmJhcg==\r
				Accept-Encoding: gzip\r
				accept-encoding: br\r
				Connection: close\r
				\r
				""");
		assertThat(response.headers("X-Served-By")).containsExactly("Spring-Cloud-Gateway-" + label());
		assertThat(response.headers("X-A")).containsExactly("1", "2");
		assertThat(response.header("Keep-Alive")).isNull();
		Message request = this.upstream.request();
		assertThat(request.headers("X-Gateway-Type")).containsExactly(label());
		assertThat(request.headers("X-Kept")).containsExactly("1", "2");
		assertThat(request.headers("Accept-Encoding")).containsExactly("identity");
		for (String name : List.of("Forwarded", "X-Forwarded-For", "TE", "Proxy-Authorization")) {
			assertThat(request.headers(name)).as(name).isEmpty();
		}
	}

	@Test
	void anExpectationInTwoSpellingsEndsHere() throws Exception {
		this.gateway.onlyOverHttp1("The front sends no expectation");
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			client.setSoTimeout(20_000);
			client.getOutputStream().write("""
					POST /service/x HTTP/1.1\r
					Host: gateway\r
					Content-Length: 2\r
					Expect: 100-continue\r
					EXPECT: 100-continue\r
					Connection: close\r
					\r
					ok""".getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
				.contains("HTTP/1.1 200");
		}
		assertThat(this.upstream.request().header("Expect")).isNull();
	}

	@Test
	void aFilterOfTheRouteRemovesAndReplacesAHeaderInTwoSpellings() throws Exception {
		HttpExchange.send(this.running.port(), """
				GET /native/x HTTP/1.1\r
				Host: gateway\r
				X-Tenant: forged\r
				x-tenant: again\r
				X-Secret: 1\r
				x-SECRET: 2\r
				Connection: close\r
				\r
				""");
		Message request = this.upstream.request();
		assertThat(request.headers("X-Tenant")).containsExactly("of the route");
		assertThat(request.header("X-Secret")).isNull();
	}

	@Test
	void whatTheClientsConnectionNamesIsItsOwnAndNotWhatTheRouteAdds() throws Exception {
		this.gateway.onlyOverHttp1("HTTP/2 has no such header");
		HttpExchange.send(this.running.port(), """
				GET /native/x HTTP/1.1\r
				Host: gateway\r
				X-Tenant: forged\r
				X-Gateway-Type: forged\r
				X-Named: 1\r
				Connection: X-Tenant, X-Gateway-Type, close\r
				Connection: x-named\r
				\r
				""");
		Message request = this.upstream.request();
		assertThat(request.headers("X-Tenant")).containsExactly("of the route");
		assertThat(request.headers("X-Gateway-Type")).containsExactly(label());
		assertThat(request.header("X-Named")).isNull();
	}

	@Test
	void whatTheClientsConnectionNamesEndsHereWhateverTheBody() throws Exception {
		for (String framing : List.of("Content-Length: 5\r\n\r\nhello",
				"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")) {
			HttpExchange.send(this.running.port(), """
					POST /service/x HTTP/1.1\r
					Host: gateway\r
					X-Named: 1\r
					x-named: 2\r
					Connection: X-Named, close, Content-Length, Host, Transfer-Encoding\r
					""" + framing);
			Message request = this.upstream.request();
			assertThat(request.header("X-Named")).as(framing).isNull();
			assertThat(request.text()).isEqualTo("hello");
		}
	}

	@Test
	void noHeaderOfOneConnectionReachesTheOther() throws Exception {
		this.upstream.answer(OK.formatted("Proxy-Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n"
				+ "Upgrade: h2c\r\nConnection: Upgrade, X-Hop\r\nX-Hop: 1\r\nx-hop: 2\r\nX-End: 1\r\n"));
		Message response = HttpExchange.send(this.running.port(), """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				Proxy-Connection: keep-alive\r
				Connection: close\r
				\r
				""");
		assertThat(response.headers("X-End")).containsExactly("1");
		for (String name : List.of("Proxy-Connection", "Keep-Alive", "Upgrade", "X-Hop")) {
			assertThat(response.headers(name)).as(name).isEmpty();
		}
		assertThat(this.upstream.request().header("Proxy-Connection")).isNull();
	}

	@Test
	void aBeanOfTheApplicationChangesHeadersOfBothDirectionsByTheRoute() throws Exception {
		this.upstream.answer(OK.formatted("X-Powered-By: secret\r\n"));
		Message response = HttpExchange.send(this.customized.port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nX-Debug: 1\r\nConnection: close\r\n\r\n");
		assertThat(response.headers("X-Route")).containsExactly("the-route by " + label());
		assertThat(response.header("X-Powered-By")).isNull();
		Message request = this.upstream.request();
		assertThat(request.headers("X-Route")).containsExactly("the-route");
		assertThat(request.header("X-Debug")).isNull();
		assertThat(request.header("X-Gateway-Type")).isEqualTo(label());
	}

	@Test
	void aBeanThatWouldSplitAMessageOrFailsIsRefusedAndTheConnectionIsLetGo() throws Exception {
		for (String header : List.of("X-Split-Request", "X-Split-Response", "X-Fail-Request", "X-Fail-Response")) {
			this.upstream.answer(OK.formatted(header + ": 1\r\n"));
			Message response = HttpExchange.send(this.customized.port(),
					"GET /service/x HTTP/1.1\r\nHost: gateway\r\n" + header + ": 1\r\nConnection: close\r\n\r\n");
			assertThat(response.status()).as(header).isEqualTo(500);
			assertThat(response.header("X-Injected")).as(header).isNull();
			Awaitility.await(header)
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(this.upstream.openConnections()).isLessThanOrEqualTo(1));
			this.upstream.answer(OK.formatted(""));
			assertThat(HttpExchange.get(this.customized.port(), "/service/x").text()).as(header).isEqualTo("ok");
		}
	}

	@Test
	void otherHeadersPassInBothDirections() throws Exception {
		this.upstream.answer(OK.formatted("X-Custom: from upstream\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"));
		Message response = HttpExchange.send(this.running.port(), """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				X-Custom: from client\r
				Cookie: session=1\r
				Authorization: Bearer token\r
				Connection: close\r
				\r
				""");
		assertThat(response.headers("X-Custom")).containsExactly("from upstream");
		assertThat(response.headers("Set-Cookie")).containsExactly("a=1", "b=2");
		Message request = this.upstream.request();
		assertThat(request.headers("X-Custom")).containsExactly("from client");
		assertThat(request.headers("Cookie")).containsExactly("session=1");
		assertThat(request.headers("Authorization")).containsExactly("Bearer token");
	}

	@Test
	void whatIsMeantForTheNextHopOnlyEndsHere() throws Exception {
		this.upstream.answer(OK.formatted("Connection: X-Hop\r\nX-Hop: up\r\nKeep-Alive: timeout=9\r\nX-End: up\r\n"));
		Message response = HttpExchange.send(this.running.port(), """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				X-Hop: down\r
				x-other-hop: down\r
				X-End: down\r
				TE: gzip\r
				Proxy-Authorization: Basic Zm9vOmJhcg==\r
				Connection: close, x-hop , X-OTHER-HOP\r
				\r
				""");
		assertThat(response.headers("X-End")).containsExactly("up");
		assertThat(response.header("X-Hop")).isNull();
		assertThat(response.header("Keep-Alive")).isNull();
		Message request = this.upstream.request();
		assertThat(request.headers("X-End")).containsExactly("down");
		assertThat(request.header("X-Hop")).isNull();
		assertThat(request.header("X-Other-Hop")).isNull();
		assertThat(request.header("TE")).isNull();
		assertThat(request.header("Proxy-Authorization")).isNull();
	}

	@Test
	void whoForwardedTheRequestIsNotBelievedUnlessItIsTrusted() throws Exception {
		HttpExchange.send(this.running.port(), """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				forwarded: for=10.0.0.1\r
				X-FORWARDED-For: 10.0.0.1\r
				X-Forwarded-Host: evil\r
				x-forwarded-anything: evil\r
				Connection: close\r
				\r
				""");
		assertThat(this.upstream.request().headers()).noneMatch((line) -> line.contains("10.0.0.1"))
			.noneMatch((line) -> line.contains("evil"));
	}

	@Test
	void theUpstreamIsAddressedAsItself() throws Exception {
		HttpExchange.get(this.running.port(), "/service/x");
		assertThat("http://" + this.upstream.request().header("Host")).isEqualTo(this.upstream.url());
	}

	@Test
	void headersAndTheNameOfTheInstanceCanBeConfigured() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.instance=gw-1", "gateway-bench.headers.request.X-From={instance}",
				"gateway-bench.headers.response.X-Via={type} on {instance}")) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.headers("X-Via")).containsExactly(label() + " on gw-1");
			assertThat(response.header("X-Gateway-Type")).isNull();
			assertThat(this.upstream.request().headers("X-From")).containsExactly("gw-1");
		}
	}

	@Test
	void headersCanBeSwitchedOff() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.headers.enabled=false")) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.headers()).noneMatch((line) -> line.startsWith("X-"));
			assertThat(this.upstream.request().header("X-Gateway-Type")).isNull();
		}
	}

	@Test
	void whatIsMeantForTheNextHopOnlyEndsHereWithoutAnyFeatureToo() throws Exception {
		this.upstream.answer(OK.formatted("Connection: X-Hop\r\nX-Hop: up\r\n"));
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.strip-prefix.enabled=false", "gateway-bench.headers.enabled=false",
				"gateway-bench.body-rewrite.enabled=false", "gateway-bench.metrics.enabled=false")) {
			Message response = HttpExchange.send(running.port(),
					"GET /service/x HTTP/1.1\r\nHost: gateway\r\nX-Hop: down\r\nConnection: close, X-Hop\r\n\r\n");
			assertThat(response.header("X-Hop")).isNull();
			assertThat(this.upstream.request().header("X-Hop")).isNull();
		}
	}

	private String label() {
		Flavour flavour = this.gateway.flavour();
		return flavour.label();
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizer {

		@Bean
		GatewayHeadersCustomizer customizer() {
			return new GatewayHeadersCustomizer() {

				@Override
				public void customizeRequest(String route, HttpHeaders headers) {
					Assert.state(!headers.containsHeader("X-Fail-Request"), "By the test");
					headers.set("X-Route", headers.containsHeader("X-Split-Request") ? "1\r\nX-Injected: 2" : route);
					headers.remove("X-Debug");
				}

				@Override
				public void customizeResponse(String route, HttpHeaders headers) {
					Assert.state(!headers.containsHeader("X-Fail-Response"), "By the test");
					headers.set("X-Route", headers.containsHeader("X-Split-Response") ? "1\r\nX-Injected: 2"
							: route + " by " + headers.getFirst("X-Gateway-Type"));
					headers.remove("X-Powered-By");
				}

			};
		}

	}

}
