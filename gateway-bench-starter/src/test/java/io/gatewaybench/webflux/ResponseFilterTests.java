package io.gatewaybench.webflux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseFilterTests {

	private static final RouteFeatures ALL = RouteFeatures.of(EnumSet.allOf(Feature.class), 1);

	private final FilterSettings settings = new FilterSettings(new FeatureScope(ALL, false), HeaderRules.of(Map.of()),
			HeaderRules.of(Map.of()),
			BodyRewriter
				.of(new RewriteSettings("_gateway", Engine.SPLICE, 1000, GatewayMetadata.of("WebFlux", () -> 1))),
			RewriteRules.of(List.of()), new RequestRules(false), Duration.ZERO, new RequestBodies(HeldMemory.of(0), 1));

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(new UnpooledByteBufAllocator(false));

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));

	/**
	 * As in a test of an application that binds its client to the context.
	 */
	@Test
	void thereNeedNotBeAServer() {
		this.exchange.getResponse().getHeaders().setContentLength(2);
		filter((response) -> response.writeWith(Mono.just(buffer("{}")))).block();
		assertThat(this.exchange.getResponse().getBodyAsString().block()).startsWith("{\"_gateway\":").endsWith("}");
	}

	@Test
	void aBodyThatTheServerDoesNotBeginToWriteIsReleased() {
		List<NettyDataBuffer> body = List.of(buffer("{\"a\""), buffer(":1}"));
		failToWrite((response) -> response.writeWith(Flux.fromIterable(body)));
		assertThat(body).allSatisfy((buffer) -> assertThat(buffer.getNativeBuffer().refCnt()).isZero());
	}

	@Test
	void aStreamThatTheServerDoesNotBeginToWriteIsReleased() {
		NettyDataBuffer event = buffer("data: 1\n\n");
		failToWrite((response) -> response.writeAndFlushWith(Flux.just(Flux.just(event))));
		assertThat(event.getNativeBuffer().refCnt()).isZero();
	}

	@Test
	void metadataOfTheSameNameOnARouteOfTheUserIsIgnored() {
		filter("owner: team-a", (response) -> response.writeWith(Mono.just(buffer("{}")))).block();
		assertThat(this.exchange.getResponse().getBodyAsString().block()).isEqualTo("{}");
		assertThat(ExchangeFilter.of(this.exchange).features().isEmpty()).isTrue();
	}

	@Test
	void whatAFilterAnswersInPlaceOfTheUpstreamIsLeftAlone() {
		filter((response) -> {
			this.exchange.getAttributes().remove(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR);
			return response.writeWith(Mono.just(buffer("{}")));
		}).block();
		assertThat(this.exchange.getResponse().getBodyAsString().block()).isEqualTo("{}");
	}

	/**
	 * As Reactor Netty does where the connection of the client is closed by then.
	 */
	private void failToWrite(Function<ServerHttpResponse, Mono<Void>> upstream) {
		IOException failure = new IOException("closed");
		this.exchange.getResponse().setWriteHandler((body) -> Mono.error(failure));
		StepVerifier.create(filter(upstream)).verifyErrorMatches(failure::equals);
	}

	private Mono<Void> filter(Function<ServerHttpResponse, Mono<Void>> upstream) {
		return filter(ALL, upstream);
	}

	private Mono<Void> filter(Object metadata, Function<ServerHttpResponse, Mono<Void>> upstream) {
		this.exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async()
						.id("route")
						.uri("http://127.0.0.1:1")
						.predicate((request) -> true)
						.metadata(ResponseFilter.ROUTE_METADATA, metadata)
						.build());
		this.exchange.getAttributes().put(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR, "the upstream's");
		ExchangeFilter.begin(this.exchange,
				new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, new DeadlineTimer()));
		return new ResponseFilter(this.settings, "", GatewayMetrics.disabled()).filter(this.exchange, (inner) -> {
			inner.getResponse().getHeaders().setContentType(MediaType.APPLICATION_JSON);
			return upstream.apply(inner.getResponse());
		});
	}

	private NettyDataBuffer buffer(String text) {
		return this.factory
			.wrap(this.factory.getByteBufAllocator().buffer().writeBytes(text.getBytes(StandardCharsets.UTF_8)));
	}

}
