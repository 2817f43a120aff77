package io.gatewaybench.webflux;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.DeadlineTimer;
import io.netty.channel.ChannelOption;
import org.junit.jupiter.api.Test;
import reactor.netty.http.client.HttpClient;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.core.ResolvableType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamRoutingFilterTests {

	private static final Map<String, Object> CONNECT = ConnectTimeout.metadata(Duration.ofMillis(1234));

	private static final MockServerHttpRequest BARE = MockServerHttpRequest.get("/").build();

	private final HttpClient client = HttpClient.create();

	private final UpstreamRoutingFilter filter = new UpstreamRoutingFilter(this.client,
			new StaticListableBeanFactory()
				.getBeanProvider(ResolvableType.forClassWithGenerics(List.class, HttpHeadersFilter.class)),
			new HttpClientProperties(), (bundle) -> {
				throw new AssertionError("Nobody needs the bundle " + bundle);
			});

	@Test
	void requestsOfOneConnectTimeoutShareAClient() {
		HttpClient first = clientFor("rr://a", CONNECT, BARE);
		assertThat(first).isNotSameAs(this.client).isSameAs(clientFor("rr://b", CONNECT, BARE));
		assertThat(connectTimeout(first)).isEqualTo(1234);
	}

	@Test
	void aRouteWithATimeoutOfItsOwnHasAClientOfItsOwn() {
		assertThat(connectTimeout(clientFor("rr://a", ConnectTimeout.metadata(Duration.ofMillis(77)), BARE)))
			.isEqualTo(77);
		assertThat(connectTimeout(clientFor("rr://a", Map.of("connect-timeout", "88"), BARE))).isEqualTo(88);
	}

	@Test
	void aRequestToWhichTheClientWouldAddNothingHasTheClientAsItIs() {
		MockServerHttpRequest request = MockServerHttpRequest.post("/")
			.header("User-Agent", "a")
			.header("Accept", "b")
			.contentLength(0)
			.build();
		assertThat(clientFor("rr://a", Map.of(), request)).isSameAs(this.client);
		assertThat(clientFor("rr://a", Map.of(), BARE)).isNotSameAs(this.client);
	}

	@Test
	void routesOutsideTheScopeHaveTheClientOfTheGateway() {
		assertThat(clientFor("http://127.0.0.1:1", Map.of(), BARE)).isSameAs(this.client);
	}

	private HttpClient clientFor(String uri, Map<String, Object> metadata, MockServerHttpRequest request) {
		Route route = Route.async().id("route").uri(uri).predicate((any) -> true).metadata(metadata).build();
		MockServerWebExchange exchange = MockServerWebExchange.from(request);
		ExchangeFilter.begin(exchange, GatewayMetrics.disabled(), GatewayObservations.OFF, new DeadlineTimer())
			.route("route", route.getUri(), new FeatureScope(RouteFeatures.NONE, false));
		return this.filter.getHttpClient(route, exchange);
	}

	private static Object connectTimeout(HttpClient client) {
		return client.configuration().options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS);
	}

}
