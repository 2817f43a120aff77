package io.gatewaybench.contract;

import java.io.IOException;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the upstream learns of those who forwarded a request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForwardedContract {

	private static final String CLAIMS = """
			GET %s HTTP/1.1\r
			Host: gateway:8080\r
			Forwarded: for=10.0.0.1\r
			X-Forwarded-For: 10.0.0.1\r
			x-forwarded-for: 10.0.0.2\r
			X-Forwarded-Host: evil\r
			X-Forwarded-Port: 1\r
			X-Forwarded-Proto: https\r
			X-Forwarded-Prefix: /evil\r
			X-Forwarded-Other: evil\r
			Connection: close\r
			\r
			""";

	private final Gateway gateway;

	private RawUpstream upstream;

	private ClosedPort closed;

	/**
	 * With a route of each kind, and the framework's strategy for what clients tell.
	 */
	private RunningGateway running;

	ForwardedContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.closed = new ClosedPort();
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		List<String> more = this.gateway.nativeRoute(2, "the-late-route", "/late/**", this.upstream.url(),
				List.of("StripPrefix=1", "AddGatewayHeaders"));
		more.addAll(this.gateway.nativeRoute(3, "the-breaker", "/breaker/**", this.closed.url(), List.of()));
		String filter = this.gateway.nativePrefix() + ".routes[3].filters[0].";
		more.addAll(List.of(OnDemand.CIRCUIT_BREAKERS, filter + "name=CircuitBreaker",
				filter + "args." + (webflux ? "name" : "id") + "=breaker",
				filter + "args.fallbackUri=forward:/rr/fallback",
				this.gateway.nativePrefix() + ".routes[3].filters[1]=AddGatewayHeaders"));
		this.running = this.gateway.start(routes("framework", more.toArray(String[]::new)));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
		this.closed.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@Test
	void aClientThatIsNotTrustedIsToldItselfAndNothingOfWhatItSays() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()), trusting("10\\..*"))) {
			HttpExchange.send(running.port(), CLAIMS.formatted("/service/x"));
			Message request = this.upstream.request();
			assertThat(request.target()).isEqualTo("/x");
			assertThat(request.headers("X-Forwarded-For")).containsExactly("127.0.0.1");
			assertThat(request.headers("X-Forwarded-Host")).containsExactly("gateway:8080");
			assertThat(request.headers("X-Forwarded-Port")).containsExactly("8080");
			assertThat(request.headers("X-Forwarded-Proto")).containsExactly("http");
			assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/service");
			assertThat(request.headers()).noneMatch((line) -> line.contains("evil") || line.contains("10.0.0"));
			HttpExchange.send(running.port(), CLAIMS.formatted("/service/x//y/"));
			Message empty = this.upstream.request();
			assertThat(empty.target()).isEqualTo("/x//y/");
			assertThat(empty.headers("X-Forwarded-Prefix")).containsExactly("/service");
		}
	}

	@Test
	void whatATrustedClientSaysArrivesWhereTheGatewaySaysNothing() throws Exception {
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		String off = this.gateway.nativePrefix()
				+ (webflux ? ".%s.enabled=false" : ".%s-request-headers-filter.enabled=false");
		for (boolean trusted : new boolean[] { true, false }) {
			try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
					trusting(trusted ? "127\\..*" : "10\\..*"), off.formatted("x-forwarded"),
					off.formatted("forwarded"))) {
				HttpExchange.send(running.port(), CLAIMS.formatted("/service/x"));
				Message request = this.upstream.request();
				if (trusted) {
					assertThat(request.headers("Forwarded")).containsExactly("for=10.0.0.1");
					assertThat(request.headers("X-Forwarded-For")).containsExactly("10.0.0.1", "10.0.0.2");
					assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/evil");
				}
				else {
					assertThat(request.headers()).noneMatch((line) -> line.contains("evil") || line.contains("10.0.0"));
				}
			}
		}
	}

	@Test
	void aPrefixThatAClientTellsIsNoPartOfThePathForTheUpstream() throws Exception {
		assertThatItIsNoPartOfThePath(this.running);
		try (RunningGateway running = this.gateway.start(routes("native"))) {
			assertThatItIsNoPartOfThePath(running);
		}
	}

	private void assertThatItIsNoPartOfThePath(RunningGateway running) throws Exception {
		for (String prefix : List.of("/service,/admin", "/stripped,/admin", "/a", "/a/..", "/%2e%2e", "/rr,/asks")) {
			assertThat(target(running, "/service/x?[a]=%20", prefix)).isEqualTo("/service/x?[a]=%20");
			assertThat(target(running, "/stripped/x", prefix)).isEqualTo("/x");
			assertThat(target(running, "/stripped//stripped/x", prefix)).isEqualTo("//stripped/x");
			assertThat(target(running, "/rr/x", prefix)).isEqualTo("/x");
			assertThat(target(running, "/asks/x", prefix)).isEqualTo("/x");
		}
	}

	/**
	 * Who trusts the prefix may want it in links of the upstream.
	 */
	@Test
	void aPrefixThatIsTrustedIsToldToTheUpstreamBesideTheGatewaysOwn() throws Exception {
		try (RunningGateway running = this.gateway.start(routes("framework", trusting("127\\..*")))) {
			for (String path : List.of("/stripped/x", "/rr/x", "/asks/x")) {
				send(running, path, "/outer");
				Message request = this.upstream.request();
				assertThat(request.target()).isEqualTo("/x");
				assertThat(request.headers("X-Forwarded-Prefix")).as(path)
					.containsExactly("/outer" + path.replace("/x", ""));
			}
			send(running, "/service/x", "/outer");
			assertThat(this.upstream.request().headers("X-Forwarded-Prefix")).containsExactly("/outer");
		}
	}

	@Test
	void aFallbackHasItsOwnPathWhateverPrefixAClientTells() throws Exception {
		for (String prefix : List.of("/outer", "/breaker,/admin", "/rr,/admin")) {
			assertThat(target(this.running, "/breaker/x", prefix)).isEqualTo("/fallback");
		}
	}

	/**
	 * WebMVC does not know before that the request is one of the starter's.
	 */
	@Test
	void whereAFilterChangesThePathBeforeTheRouteAsksForAFeatureNoOtherPathArrives() throws Exception {
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		assertThat(answer(this.running, "/late/x", "/late,/admin").status()).isEqualTo(webflux ? 204 : 400);
		assertThat(answer(this.running, "/late/x", "/outer").status()).isEqualTo(webflux ? 204 : 400);
		assertThat(HttpExchange.get(this.running.port(), "/late/x").status()).isEqualTo(204);
		while (this.upstream.pendingRequests() > 0) {
			assertThat(this.upstream.request().target()).isEqualTo("/x");
		}
	}

	private String[] routes(String strategy, String... more) {
		List<String> properties = new ArrayList<>(
				Gateway.route(0, "the-route", "service", List.of(this.upstream.url())));
		properties.add("gateway-bench.routes[0].strip-prefix=0");
		properties.addAll(Gateway.route(1, "the-stripped-route", "stripped", List.of(this.upstream.url())));
		properties.addAll(
				this.gateway.nativeRoute(0, "the-native-route", "/rr/**", "rr://service", List.of("StripPrefix=1")));
		properties.addAll(this.gateway.nativeRoute(1, "the-route-that-asks", "/asks/**", this.upstream.url(),
				List.of("AddGatewayHeaders", "RewritePath=/asks/(.*),/$1")));
		properties.add("server.forward-headers-strategy=" + strategy);
		properties.addAll(List.of(more));
		return properties.toArray(String[]::new);
	}

	private String target(RunningGateway running, String target, String prefix) throws Exception {
		send(running, target, prefix);
		return this.upstream.request().target();
	}

	private static void send(RunningGateway running, String target, String prefix) throws Exception {
		assertThat(answer(running, target, prefix).status()).as(target + " " + prefix).isEqualTo(204);
	}

	private static Message answer(RunningGateway running, String target, String prefix) throws Exception {
		return HttpExchange.send(running.port(),
				"GET %s HTTP/1.1\r\nHost: gateway\r\nX-Forwarded-Prefix: %s\r\nConnection: close\r\n\r\n"
					.formatted(target, prefix));
	}

	private String trusting(String addresses) {
		return this.gateway.nativePrefix() + ".trusted-proxies=" + addresses;
	}

}
