package io.gatewaybench.webflux;

import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.resolver.DefaultAddressResolverGroup;
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
import static org.assertj.core.api.Assertions.assertThatException;

class UpstreamRoutingFilterTests {

	private static final Map<String, Object> CONNECT = ConnectTimeout.metadata(Duration.ofMillis(1234));

	private final HttpClient client = HttpClient.create();

	private final UpstreamRoutingFilter filter = new UpstreamRoutingFilter(this.client,
			new StaticListableBeanFactory()
				.getBeanProvider(ResolvableType.forClassWithGenerics(List.class, HttpHeadersFilter.class)),
			new HttpClientProperties(), (client, connect) -> {
				throw new AssertionError("Nobody needs " + connect);
			});

	@Test
	void requestsOfOneConnectTimeoutShareAClient() {
		HttpClient first = clientFor("rr://a", CONNECT);
		assertThat(first).isNotSameAs(this.client).isSameAs(clientFor("rr://b", CONNECT));
		assertThat(connectTimeout(first)).isEqualTo(1234);
	}

	@Test
	void aRouteWithATimeoutOfItsOwnHasAClientOfItsOwn() {
		assertThat(connectTimeout(clientFor("rr://a", ConnectTimeout.metadata(Duration.ofMillis(77))))).isEqualTo(77);
		assertThat(connectTimeout(clientFor("rr://a", Map.of("connect-timeout", "88")))).isEqualTo(88);
	}

	@Test
	void aRouteWithoutATimeoutOfItsOwnHasTheClientOfTheGateway() {
		assertThat(clientFor("rr://a", Map.of())).isSameAs(this.client);
	}

	@Test
	void aUriIsEncodedWhereItHasToBe() {
		HttpClient sender = (HttpClient) uri("http://a/\u00e9?q=\u00fc");
		assertThat(sender.configuration().uri()).isEqualTo("http://a/%C3%A9?q=%C3%BC");
	}

	/**
	 * Reactor Netty refuses a URI without a host.
	 */
	@Test
	void aHostThatUriDoesNotKnowIsLookedUp() {
		assertThatException().isThrownBy(() -> uri("http://a_b.invalid:1/x").response().block(Duration.ofSeconds(20)))
			.withCauseInstanceOf(UnknownHostException.class);
	}

	private HttpClient.RequestSender uri(String target) {
		HttpClient resolving = this.client.resolver(DefaultAddressResolverGroup.INSTANCE);
		return UpstreamRoutingFilter.uri(resolving.request(HttpMethod.GET), URI.create(target));
	}

	private HttpClient clientFor(String uri, Map<String, Object> metadata) {
		Route route = Route.async().id("route").uri(uri).predicate((any) -> true).metadata(metadata).build();
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
		GatewayExchange state = ExchangeFilter.begin(exchange,
				new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, new DeadlineTimer()));
		return this.filter.client(route, exchange, state);
	}

	private static Object connectTimeout(HttpClient client) {
		return client.configuration().options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS);
	}

}
