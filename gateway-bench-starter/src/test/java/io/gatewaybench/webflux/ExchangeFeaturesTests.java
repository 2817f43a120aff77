package io.gatewaybench.webflux;

import java.util.EnumSet;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class ExchangeFeaturesTests {

	private static final RouteFeatures ALL = RouteFeatures.of(EnumSet.allOf(Feature.class), 1);

	private static final FeatureScope SCOPE = new FeatureScope(ALL, false);

	@Test
	void aRouteDeclaresItsFeaturesInItsMetadata() {
		ServerWebExchange exchange = exchange(ALL);
		assertThat(ExchangeFeatures.resolve(exchange, SCOPE)).isSameAs(ALL);
		assertThat(ExchangeFeatures.of(exchange)).isSameAs(ALL);
	}

	@Test
	void metadataOfTheSameNameOnARouteOfTheUserIsIgnored() {
		assertThat(ExchangeFeatures.resolve(exchange("owner: team-a"), SCOPE).isEmpty()).isTrue();
	}

	@Test
	void filtersAddTheFeaturesThatTheyName() {
		ServerWebExchange exchange = exchange("native");
		ExchangeFeatures.request(exchange, Feature.HEADERS);
		ExchangeFeatures.request(exchange, Feature.METRICS);
		RouteFeatures features = ExchangeFeatures.resolve(exchange, SCOPE);
		assertThat(Feature.values()).filteredOn(features::has).containsExactly(Feature.HEADERS, Feature.METRICS);
	}

	@Test
	void anExchangeThatNoRouteTookHasNone() {
		ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
		assertThat(ExchangeFeatures.of(exchange).isEmpty()).isTrue();
		assertThat(ExchangeFeatures.resolve(exchange, SCOPE).isEmpty()).isTrue();
	}

	private static ServerWebExchange exchange(Object metadata) {
		ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async()
						.id("route")
						.uri("http://127.0.0.1:1")
						.predicate((request) -> true)
						.metadata(ExchangeFeatures.ROUTE_METADATA, metadata)
						.build());
		return exchange;
	}

}
