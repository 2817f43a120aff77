package io.gatewaybench.webflux;

import java.net.URI;
import java.util.Map;
import java.util.Set;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter.Type;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayHeadersFilterTests {

	private static final HeaderRules RULES = HeaderRules.of(Map.of("X-Gateway-Type", "WebFlux"));

	private final ServerWebExchange exchange = MockServerWebExchange
		.from(MockServerHttpRequest.get("/").header("X-Gateway-Type", "forged"));

	private final HttpHeaders requestHeaders = this.exchange.getRequest().getHeaders();

	@Test
	void theHeadersOfTheRequestItselfStayAsTheyAre() {
		features(Feature.HEADERS);
		HttpHeaders filtered = new GatewayHeadersFilter(Type.REQUEST, RULES).filter(this.requestHeaders, this.exchange);
		assertThat(filtered.get("X-Gateway-Type")).containsExactly("WebFlux");
		assertThat(this.requestHeaders.get("X-Gateway-Type")).containsExactly("forged");
	}

	@Test
	void aCopyIsNotCopiedAgain() {
		features(Feature.HEADERS);
		HttpHeaders copy = new HttpHeaders();
		assertThat(new GatewayHeadersFilter(Type.RESPONSE, RULES).filter(copy, this.exchange)).isSameAs(copy);
		assertThat(copy.getFirst("X-Gateway-Type")).isEqualTo("WebFlux");
	}

	@Test
	void aRouteWithoutFeaturesIsLeftAlone() {
		features();
		assertThat(new GatewayHeadersFilter(Type.REQUEST, RULES).filter(this.requestHeaders, this.exchange))
			.isSameAs(this.requestHeaders);
	}

	@Test
	void onlyTheRequestForABodyToRewriteAsksForNoCoding() {
		features(Feature.BODY_REWRITE);
		HttpHeaders request = new GatewayHeadersFilter(Type.REQUEST, RULES).filter(this.requestHeaders, this.exchange);
		assertThat(request.get("Accept-Encoding")).containsExactly("identity");
		assertThat(request.get("X-Gateway-Type")).containsExactly("forged");
		HttpHeaders response = new GatewayHeadersFilter(Type.RESPONSE, RULES).filter(new HttpHeaders(), this.exchange);
		assertThat(response.isEmpty()).isTrue();
	}

	@Test
	void theServerHasAnsweredTheExpectation() {
		features(Feature.METRICS);
		HttpHeaders headers = HttpHeaders.copyOf(this.requestHeaders);
		headers.set("Expect", "100-continue");
		HttpHeaders filtered = new GatewayHeadersFilter(Type.REQUEST, RULES).filter(headers, this.exchange);
		assertThat(filtered.containsHeader("Expect")).isFalse();
	}

	@Test
	void eachDirectionHasItsFilter() {
		assertThat(new GatewayHeadersFilter(Type.REQUEST, RULES).supports(Type.REQUEST)).isTrue();
		assertThat(new GatewayHeadersFilter(Type.REQUEST, RULES).supports(Type.RESPONSE)).isFalse();
		assertThat(new GatewayHeadersFilter(Type.RESPONSE, RULES).supports(Type.RESPONSE)).isTrue();
	}

	private void features(Feature... features) {
		RouteFeatures all = RouteFeatures.of(Set.of(features), 1);
		ExchangeFilter
			.begin(this.exchange,
					new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, new DeadlineTimer()))
			.route("plain", URI.create("http://plain"), new FeatureScope(all, true));
	}

}
