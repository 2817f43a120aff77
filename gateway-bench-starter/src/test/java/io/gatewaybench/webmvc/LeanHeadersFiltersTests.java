package io.gatewaybench.webmvc;

import java.util.stream.Stream;

import io.gatewaybench.filter.OwnHeaders;
import io.gatewaybench.filter.RandomHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveContentLengthRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopResponseHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveXForwardedRequestHeadersFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

import static io.gatewaybench.filter.RandomHeaders.lines;
import static org.assertj.core.api.Assertions.assertThat;

class LeanHeadersFiltersTests {

	static Stream<HttpHeadersFilter<?>> gatewayFilters() {
		return Stream.of(new RemoveForwardedRequestHeadersFilter(), new RemoveXForwardedRequestHeadersFilter(),
				new RemoveHopByHopRequestHeadersFilter(), new RemoveHopByHopResponseHeadersFilter());
	}

	@ParameterizedTest
	@MethodSource("gatewayFilters")
	void aFilterOfTheGatewayDoesTheSameWithoutACopyAndHeedsConnection(HttpHeadersFilter<?> filter) {
		HttpHeadersFilter<?> lean = LeanHeadersFilters.of(filter);
		assertThat(lean).isInstanceOf(filter.getClass()).isNotSameAs(filter);
		for (long seed = 0; seed < 2_000; seed++) {
			HttpHeaders headers = RandomHeaders.of(seed);
			OwnHeaders own = OwnHeaders.copyOf(headers);
			HttpHeaders filtered = apply(lean, own);
			assertThat(filtered).as("seed %d", seed).isSameAs(own);
			HttpHeaders expected = apply(filter, headers);
			assertThat(lines(apply(lean, headers))).as("seed %d", seed).isEqualTo(lines(expected));
			if (!expected.containsHeader("Connection")) {
				headers.getConnection().forEach(expected::remove);
			}
			assertThat(lines(filtered)).as("seed %d", seed).isEqualTo(lines(expected));
		}
	}

	@ParameterizedTest
	@MethodSource("gatewayFilters")
	void aFilterOfTheGatewayKeepsItsPlace(HttpHeadersFilter<?> filter) {
		assertThat(((Ordered) LeanHeadersFilters.of(filter)).getOrder()).isEqualTo(((Ordered) filter).getOrder());
	}

	@Test
	void aFilterThatTheStarterDoesNotKnowStays() {
		HttpHeadersFilter<?> other = new RemoveContentLengthRequestHeadersFilter();
		HttpHeadersFilter<?> subclass = new RemoveForwardedRequestHeadersFilter() {
		};
		assertThat(LeanHeadersFilters.of(other)).isSameAs(other);
		assertThat(LeanHeadersFilters.of(subclass)).isSameAs(subclass);
	}

	/**
	 * None of these filters looks at the request or response itself.
	 */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private static HttpHeaders apply(HttpHeadersFilter<?> filter, HttpHeaders headers) {
		return ((HttpHeadersFilter<Object>) filter).apply(headers, null);
	}

}
