package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Routes to {@code lb://} stay with Spring Cloud LoadBalancer, beside those to
 * {@code rr://} and with the features that they ask for.
 */
class LoadBalancerContract {

	private static final String DISCOVERED = "spring.cloud.discovery.client.simple.instances.discovered[%d].uri=%s";

	private final Gateway gateway;

	private final List<WireMockServer> discovered = List.of(Upstreams.wireMock(), Upstreams.wireMock());

	private final WireMockServer configured = Upstreams.wireMock();

	LoadBalancerContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstreams() {
		this.discovered.forEach(LoadBalancerContract::start);
		start(this.configured);
	}

	private static void start(WireMockServer upstream) {
		upstream.start();
		upstream.stubFor(any(anyUrl()).willReturn(okJson("{\"a\":1}")));
	}

	@AfterEach
	void stopUpstreams() {
		this.discovered.forEach(WireMockServer::stop);
		this.configured.stop();
	}

	@Test
	void aRouteToADiscoveredServiceIsBalancedBesideThoseToUpstreams() throws Exception {
		try (RunningGateway running = start(List.of("StripPrefix=1"))) {
			for (int i = 0; i < 6; i++) {
				assertThat(get(running, "/service/x").text()).isEqualTo("{\"a\":1}");
				assertThat(get(running, "/mine/x").text()).contains("_gateway");
			}
			assertThat(this.discovered).allSatisfy((instance) -> instance.verify(3, getRequestedFor(urlEqualTo("/x"))));
			this.configured.verify(6, getRequestedFor(urlEqualTo("/x")));
		}
	}

	@Test
	void aRouteToADiscoveredServiceGetsTheFeaturesThatItAsksFor() throws Exception {
		try (RunningGateway running = start(
				List.of("StripGatewayPrefix", "AddGatewayHeaders", "InjectGatewayMetadata", "RecordGatewayMetrics"))) {
			String type = this.gateway.flavour().label();
			for (int i = 0; i < 6; i++) {
				Message response = get(running, "/service/a%20b?x=1&y=a+b&z");
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":{\"type\":\"" + type);
				assertThat(response.header("X-Gateway-Instance")).isEqualTo("the-gateway");
			}
			assertThat(this.discovered).allSatisfy((instance) -> instance.verify(3,
					getRequestedFor(urlEqualTo("/a%20b?x=1&y=a+b&z")).withHeader("X-Gateway-Type", equalTo(type))));
		}
	}

	private RunningGateway start(List<String> filters) {
		return this.gateway.startWithNativeRoute("lb://discovered", filters, OnDemand.LOAD_BALANCER,
				DISCOVERED.formatted(0, this.discovered.get(0).baseUrl()),
				DISCOVERED.formatted(1, this.discovered.get(1).baseUrl()),
				"gateway-bench.upstreams.mine.instances=" + this.configured.baseUrl(),
				"gateway-bench.routes[0].id=mine", "gateway-bench.routes[0].path=/mine/**",
				"gateway-bench.routes[0].upstream=mine");
	}

	private static Message get(RunningGateway running, String target) throws IOException {
		return HttpExchange.get(running.port(), target);
	}

}
