package io.gatewaybench.webflux;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.upstream.EjectionSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Upstreams;
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

class LeanRoutingFilterTests {

	private static final Duration CONNECT = Duration.ofMillis(1234);

	private final HttpClient client = HttpClient.create();

	private final LeanRoutingFilter filter = new LeanRoutingFilter(this.client,
			new StaticListableBeanFactory()
				.getBeanProvider(ResolvableType.forClassWithGenerics(List.class, HttpHeadersFilter.class)),
			new HttpClientProperties(), new Upstreams(List.of(upstream("a"), upstream("b"))));

	@Test
	void requestsToUpstreamsOfOneConnectTimeoutShareAClient() {
		Map<String, Object> metadata = ConnectTimeout.metadata(CONNECT);
		HttpClient first = clientFor(metadata);
		assertThat(first).isNotSameAs(this.client).isSameAs(clientFor(metadata));
		assertThat(connectTimeout(first)).isEqualTo(1234);
	}

	@Test
	void aRouteWithATimeoutOfItsOwnHasAClientOfItsOwn() {
		assertThat(connectTimeout(clientFor(ConnectTimeout.metadata(Duration.ofMillis(77))))).isEqualTo(77);
		assertThat(connectTimeout(clientFor(Map.of("connect-timeout", "88")))).isEqualTo(88);
	}

	@Test
	void allOtherRoutesHaveTheClientOfTheGateway() {
		assertThat(clientFor(Map.of())).isSameAs(this.client);
	}

	private HttpClient clientFor(Map<String, Object> metadata) {
		Route route = Route.async().id("route").uri("rr://a").predicate((any) -> true).metadata(metadata).build();
		return this.filter.getHttpClient(route, MockServerWebExchange.from(MockServerHttpRequest.get("/")));
	}

	private static Object connectTimeout(HttpClient client) {
		return client.configuration().options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS);
	}

	private static Upstream upstream(String name) {
		return new Upstream(name, Map.of(Instance.of(URI.create("http://127.0.0.1:1")), 1),
				new UpstreamTimeouts(CONNECT, Duration.ZERO, Duration.ZERO), EjectionSettings.OFF);
	}

}
