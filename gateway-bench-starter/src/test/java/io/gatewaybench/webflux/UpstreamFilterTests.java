package io.gatewaybench.webflux;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.Upstreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UpstreamFilterTests {

	private final DeadlineTimer timer = new DeadlineTimer();

	private final IOException error = new IOException("broken");

	@AfterEach
	void stop() {
		this.timer.close();
	}

	@Test
	void anErrorOnTheWayToTheInstanceIsItsFailure() {
		assertThatExceptionOfType(UpstreamException.class).isThrownBy(() -> send((exchange) -> {
			ServerWebExchangeUtils.setAlreadyRouted(exchange);
			return Mono.error(this.error);
		})).withCause(this.error);
	}

	/**
	 * Such as one that asks a server of its own for a token.
	 */
	@Test
	void anErrorOfAFilterInFrontOfTheClientIsNoFailureOfTheInstance() {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> send((exchange) -> Mono.error(this.error)))
			.isNotInstanceOf(UpstreamException.class)
			.withCause(this.error);
	}

	private void send(GatewayFilterChain chain) {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async().id("route").uri("rr://service").predicate((request) -> true).build());
		Upstreams upstreams = new Upstreams(
				List.of(Upstream.roundRobin("service", List.of(Instance.parse("http://127.0.0.1:1")))));
		GatewayExchange state = ExchangeFilter.begin(exchange,
				new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, this.timer));
		state.route("route", URI.create("rr://service"), new FeatureScope(RouteFeatures.NONE, false));
		new UpstreamFilter(upstreams, Duration.ZERO, new RequestBodies(HeldMemory.of(0), 1), Mirrors.NONE, null)
			.filter(exchange, chain)
			.block(Duration.ofSeconds(20));
	}

}
