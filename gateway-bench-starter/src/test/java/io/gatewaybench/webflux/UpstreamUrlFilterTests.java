package io.gatewaybench.webflux;

import java.net.URI;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.RouteToRequestUrlFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamUrlFilterTests {

	@ParameterizedTest
	@ValueSource(strings = { "http://gateway/service-a/api/heavy", "http://gateway:8080/",
			"http://gateway/a?x=1&x=2&y=", "http://gateway/a%20b/%C3%BC?q=%C3%BC+%26", "http://gateway/a;v=1/b" })
	void aRequestToAnUpstreamHasTheUrlThatTheGatewayMakes(String request) {
		assertThat(url(new UpstreamUrlFilter(), "rr://service-a", request))
			.isEqualTo(url(new RouteToRequestUrlFilter(), "rr://service-a", request));
	}

	@ParameterizedTest
	@CsvSource({ "http://gateway//evil//b,rr://service-a//evil//b", "http://gateway/a?b,rr://service-a/a?b",
			"http://gateway/%2F%2Fevil,rr://service-a/%2F%2Fevil", "http://gateway/@evil,rr://service-a/@evil" })
	void pathAndQueryAreThoseOfTheRequestAndNeverTheHost(String request, String expected) {
		URI url = url(new UpstreamUrlFilter(), "rr://service-a", request);
		assertThat(url).hasToString(expected).hasHost("service-a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://10.0.0.3:8081", "https://example.com", "lb://service-a", "ws://10.0.0.3" })
	void allOtherRoutesAreMergedByTheGateway(String route) {
		assertThat(url(new UpstreamUrlFilter(), route, "http://gateway/a?b=c"))
			.isEqualTo(url(new RouteToRequestUrlFilter(), route, "http://gateway/a?b=c"));
	}

	@Test
	void nothingButTheFilterOfTheGatewayIsReplaced() {
		GlobalFilter other = (exchange, chain) -> Mono.empty();
		GlobalFilter subclass = new RouteToRequestUrlFilter() {
		};
		assertThat(UpstreamUrlFilter.of(other)).isSameAs(other);
		assertThat(UpstreamUrlFilter.of(subclass)).isSameAs(subclass);
		assertThat(UpstreamUrlFilter.of(new RouteToRequestUrlFilter())).isInstanceOf(UpstreamUrlFilter.class);
	}

	private static URI url(GlobalFilter filter, String route, String request) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.method(HttpMethod.GET, URI.create(request)));
		exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR,
					Route.async().id("route").uri(route).predicate((any) -> true).build());
		filter.filter(exchange, (next) -> Mono.empty()).block();
		return exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
	}

}
