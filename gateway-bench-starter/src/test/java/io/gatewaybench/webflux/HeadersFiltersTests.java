package io.gatewaybench.webflux;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.filter.RandomHeaders;
import io.gatewaybench.internal.filter.TrustedClients;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.util.context.Context;

import org.springframework.cloud.gateway.filter.headers.GRPCRequestHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.GRPCResponseHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter.Type;
import org.springframework.cloud.gateway.filter.headers.RemoveForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveHopByHopHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveXForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.DefaultGatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static io.gatewaybench.internal.filter.RandomHeaders.lines;
import static org.assertj.core.api.Assertions.assertThat;

class HeadersFiltersTests {

	private final ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));

	static Stream<HttpHeadersFilter> gatewayFilters() {
		RemoveHopByHopHeadersFilter configured = new RemoveHopByHopHeadersFilter();
		configured.setHeaders(Set.of("X-Custom", "te"));
		configured.setOrder(7);
		return Stream.of(new RemoveForwardedHeadersFilter(), new RemoveXForwardedHeadersFilter(),
				new RemoveHopByHopHeadersFilter(), configured, new GRPCRequestHeadersFilter());
	}

	@ParameterizedTest
	@MethodSource("gatewayFilters")
	void aFilterOfTheGatewayDoesTheSameWithoutACopy(HttpHeadersFilter filter) {
		HttpHeadersFilter replaced = HeadersFilters.of(filter, new TrustedClients(null));
		assertThat(replaced).isInstanceOf(filter.getClass()).isNotSameAs(filter);
		for (long seed = 0; seed < 2_000; seed++) {
			HttpHeaders headers = RandomHeaders.of(seed);
			MutableHttpHeaders mutable = MutableHttpHeaders.copyOf(headers);
			HttpHeaders filtered = replaced.filter(mutable, this.exchange);
			assertThat(filtered).as("seed %d", seed).isSameAs(mutable);
			assertThat(lines(filtered)).as("seed %d", seed)
				.isEqualTo(lines(filter.filter(headers, this.exchange)))
				.isEqualTo(lines(replaced.filter(headers, this.exchange)));
			assertThat(headers).as("seed %d", seed).isEqualTo(RandomHeaders.of(seed));
		}
	}

	@ParameterizedTest
	@MethodSource("gatewayFilters")
	void aFilterOfTheGatewayKeepsItsPlaceAndDirection(HttpHeadersFilter filter) {
		HttpHeadersFilter replaced = HeadersFilters.of(filter, new TrustedClients(null));
		assertThat(((Ordered) replaced).getOrder()).isEqualTo(((Ordered) filter).getOrder());
		for (Type type : Type.values()) {
			assertThat(replaced.supports(type)).isEqualTo(filter.supports(type));
		}
	}

	@Test
	void aFilterThatTheStarterDoesNotKnowStays() {
		HttpHeadersFilter other = new GRPCResponseHeadersFilter();
		HttpHeadersFilter subclass = new RemoveForwardedHeadersFilter() {
		};
		assertThat(HeadersFilters.of(other, new TrustedClients(null))).isSameAs(other);
		assertThat(HeadersFilters.of(subclass, new TrustedClients(null))).isSameAs(subclass);
	}

	@Test
	void aRequestIsObservedAsByTheGatewayWithoutACopy() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler((context) -> true);
		GatewayObservationConvention convention = new DefaultGatewayObservationConvention() {

			@Override
			public String getName() {
				return "of the application";
			}

		};
		Observation server = Observation.start("server", registry);
		this.exchange.getAttributes()
			.put(ServerWebExchangeUtils.GATEWAY_REACTOR_CONTEXT_ATTR,
					Context.of(ObservationThreadLocalAccessor.KEY, server));
		HttpHeaders headers = RandomHeaders.of(1);
		for (HttpHeadersFilter filter : List.of(new ObservedRequestHttpHeadersFilter(registry, convention),
				new HeadersFilters.Observed(registry, convention))) {
			MutableHttpHeaders mutable = MutableHttpHeaders.copyOf(headers);
			HttpHeaders filtered = filter.filter(mutable, this.exchange);
			assertThat(lines(filtered)).isEqualTo(lines(headers));
			Observation observation = this.exchange
				.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_OBSERVATION_ATTR);
			assertThat(observation.getContext()).isInstanceOfSatisfying(GatewayContext.class, (context) -> {
				assertThat(context.getName()).isEqualTo("of the application");
				assertThat(context.getParentObservation()).isSameAs(server);
				assertThat(context.getCarrier()).isSameAs(filtered);
				assertThat(context.getServerWebExchange()).isSameAs(this.exchange);
			});
			assertThat(filtered == mutable).isEqualTo(filter instanceof HeadersFilters.Observed);
			assertThat(filter.supports(Type.REQUEST)).isTrue();
			assertThat(filter.supports(Type.RESPONSE)).isFalse();
		}
	}

}
