package io.gatewaybench.contract;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the upstream learns of those who forwarded a request.
 */
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

	ForwardedContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void aClientThatIsNotTrustedIsToldItselfAndNothingOfWhatItSays() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()), trusting("10\\..*"))) {
			HttpExchange.send(running.port(), CLAIMS.formatted("/service/x"));
			Message request = upstream.request();
			assertThat(request.target()).isEqualTo("/x");
			assertThat(request.headers("X-Forwarded-For")).containsExactly("127.0.0.1");
			assertThat(request.headers("X-Forwarded-Host")).containsExactly("gateway:8080");
			assertThat(request.headers("X-Forwarded-Port")).containsExactly("8080");
			assertThat(request.headers("X-Forwarded-Proto")).containsExactly("http");
			assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/service");
			assertThat(request.headers()).noneMatch((line) -> line.contains("evil") || line.contains("10.0.0"));
		}
	}

	@Test
	void severalFiltersThatShortenThePathTellOnePrefix() throws Exception {
		List<String> properties = new ArrayList<>(this.gateway.nativeRoute(0, "the-native-route", "/t/api/**",
				"rr://service", List.of("StripPrefix=1", "StripPrefix=1", "AddGatewayHeaders")));
		properties.add(trusting("127\\..*"));
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()),
						properties.toArray(String[]::new))) {
			HttpExchange.get(running.port(), "/t/api/x");
			Message request = upstream.request();
			assertThat(request.target()).isEqualTo("/x");
			assertThat(request.headers("X-Forwarded-Prefix")).containsExactly("/t/api");
		}
	}

	@Test
	void whatATrustedClientSaysArrivesWhereTheGatewaySaysNothing() throws Exception {
		boolean webflux = this.gateway.flavour() == Flavour.WEBFLUX;
		String off = this.gateway.nativePrefix()
				+ (webflux ? ".%s.enabled=false" : ".%s-request-headers-filter.enabled=false");
		for (boolean trusted : new boolean[] { true, false }) {
			try (RawUpstream upstream = new RawUpstream();
					RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()),
							trusting(trusted ? "127\\..*" : "10\\..*"), off.formatted("x-forwarded"),
							off.formatted("forwarded"))) {
				HttpExchange.send(running.port(), CLAIMS.formatted("/service/x"));
				Message request = upstream.request();
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

	private String trusting(String addresses) {
		return this.gateway.nativePrefix() + ".trusted-proxies=" + addresses;
	}

}
