package io.gatewaybench.webflux;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.FilterSettings;
import io.gatewaybench.filter.HeaderRules;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.BodyRewriter;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.RewriteSettings;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseFilterTests {

	private static final RouteFeatures ALL = RouteFeatures.of(EnumSet.allOf(Feature.class), 1);

	private final FilterSettings settings = new FilterSettings(new FeatureScope(ALL, false), HeaderRules.of(Map.of()),
			HeaderRules.of(Map.of()),
			BodyRewriter.of(new RewriteSettings("_gateway", Engine.SPLICE, 1000, "WebFlux", () -> 1)));

	/**
	 * As in a test of an application that binds its client to the context.
	 */
	@Test
	void thereNeedNotBeAServer() {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async()
						.id("route")
						.uri("http://127.0.0.1:1")
						.predicate((request) -> true)
						.metadata(ExchangeFeatures.ROUTE_METADATA, ALL)
						.build());
		new ResponseFilter(this.settings, GatewayMetrics.disabled()).filter(exchange, (inner) -> {
			HttpHeaders headers = inner.getResponse().getHeaders();
			headers.setContentType(MediaType.APPLICATION_JSON);
			headers.setContentLength(2);
			return inner.getResponse()
				.writeWith(Mono.just(inner.getResponse().bufferFactory().wrap("{}".getBytes(StandardCharsets.UTF_8))));
		}).block();
		assertThat(exchange.getResponse().getBodyAsString().block()).startsWith("{\"_gateway\":").endsWith("}");
	}

}
