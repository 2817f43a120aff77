package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.filter.RandomHeaders;
import io.gatewaybench.internal.filter.TrustedClients;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveContentLengthRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopResponseHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveXForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilterProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import static io.gatewaybench.internal.filter.RandomHeaders.lines;
import static org.assertj.core.api.Assertions.assertThat;

class HeadersFiltersTests {

	static Stream<HttpHeadersFilter<?>> gatewayFilters() {
		return Stream.of(new RemoveForwardedRequestHeadersFilter(), new RemoveXForwardedRequestHeadersFilter(),
				new RemoveHopByHopRequestHeadersFilter(), new RemoveHopByHopResponseHeadersFilter());
	}

	@ParameterizedTest
	@MethodSource("gatewayFilters")
	void aFilterOfTheGatewayDoesTheSameWithoutACopyAndHeedsConnection(HttpHeadersFilter<?> filter) {
		HttpHeadersFilter<?> changing = replacement(filter);
		assertThat(changing).isNotSameAs(filter);
		for (long seed = 0; seed < 2_000; seed++) {
			HttpHeaders headers = RandomHeaders.of(seed);
			MutableHttpHeaders mutable = MutableHttpHeaders.copyOf(headers);
			HttpHeaders filtered = apply(changing, mutable);
			assertThat(filtered).as("seed %d", seed).isSameAs(mutable);
			HttpHeaders expected = apply(filter, headers);
			assertThat(lines(apply(changing, headers))).as("seed %d", seed).isEqualTo(lines(expected));
			if (!expected.containsHeader("Connection")) {
				headers.getConnection().forEach(expected::remove);
			}
			assertThat(lines(filtered)).as("seed %d", seed).isEqualTo(lines(expected));
		}
	}

	@Test
	void theFiltersKeepTheirOrderBehindTheOneThatCopies() {
		RequestHttpHeadersFilter first = (input, request) -> input;
		RequestHttpHeadersFilter second = (input, request) -> input;
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("first", first);
		beans.addBean("second", second);
		FeatureScope everyRoute = new FeatureScope(RouteFeatures.of(EnumSet.of(Feature.HEADERS), 0), true);
		try (DeadlineTimer timer = new DeadlineTimer()) {
			List<RequestHttpHeadersFilter> filters = HeadersFilters
				.requestFilters(beans.getBeanProvider(RequestHttpHeadersFilter.class),
						(request, url) -> ServletExchange
							.begin(request, new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, timer))
							.route(request, url, everyRoute),
						new TrustedClients(null), new XForwardedRequestHeadersFilterProperties())
				.orderedStream()
				.toList();
			assertThat(filters).hasSize(3).endsWith(first, second);
			HttpHeaders headers = new HttpHeaders();
			ServerRequest request = ServerRequest.create(new MockHttpServletRequest(), List.of());
			assertThat(filters.get(0).apply(headers, request)).isSameAs(headers);
			request.attributes().put(MvcUtils.GATEWAY_REQUEST_URL_ATTR, URI.create("http://localhost"));
			assertThat(filters.get(0).apply(headers, request)).isInstanceOf(MutableHttpHeaders.class)
				.isEqualTo(headers);
		}
	}

	@Test
	void aFilterThatTheStarterDoesNotKnowStays() {
		RequestHttpHeadersFilter other = new RemoveContentLengthRequestHeadersFilter();
		RequestHttpHeadersFilter subclass = new RemoveForwardedRequestHeadersFilter() {
		};
		assertThat(HeadersFilters.ofRequests(other, new TrustedClients(null),
				new XForwardedRequestHeadersFilterProperties()))
			.isSameAs(other);
		assertThat(HeadersFilters.ofRequests(subclass, new TrustedClients(null),
				new XForwardedRequestHeadersFilterProperties()))
			.isSameAs(subclass);
	}

	private static HttpHeadersFilter<?> replacement(HttpHeadersFilter<?> filter) {
		return (filter instanceof RequestHttpHeadersFilter ofRequests)
				? HeadersFilters.ofRequests(ofRequests, new TrustedClients(null),
						new XForwardedRequestHeadersFilterProperties())
				: HeadersFilters.ofResponses((ResponseHttpHeadersFilter) filter);
	}

	/**
	 * None of these filters looks at the response, or at more than the client's address.
	 */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private static HttpHeaders apply(HttpHeadersFilter<?> filter, HttpHeaders headers) {
		Object message = (filter instanceof RequestHttpHeadersFilter)
				? ServerRequest.create(new MockHttpServletRequest(), List.of()) : null;
		return ((HttpHeadersFilter<Object>) filter).apply(headers, message);
	}

}
