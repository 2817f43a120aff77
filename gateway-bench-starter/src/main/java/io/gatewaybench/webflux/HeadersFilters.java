package io.gatewaybench.webflux;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.filter.MutableHttpHeaders;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

import org.springframework.cloud.gateway.filter.headers.GRPCRequestHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveHopByHopHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveXForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.DefaultGatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayObservationConvention;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * The gateway's filters of headers, without the copy that each of them makes where the
 * headers are our mutable.
 */
final class HeadersFilters {

	private HeadersFilters() {
	}

	/**
	 * Take the place of a filter of the gateway.
	 * @param filter any filter
	 * @return one that does the same
	 */
	static HttpHeadersFilter of(HttpHeadersFilter filter) {
		if (filter.getClass() == RemoveForwardedHeadersFilter.class) {
			return new Forwarded();
		}
		if (filter.getClass() == RemoveXForwardedHeadersFilter.class) {
			return new XForwarded();
		}
		if (filter.getClass() == RemoveHopByHopHeadersFilter.class) {
			return hopByHop((RemoveHopByHopHeadersFilter) filter);
		}
		return (filter.getClass() == GRPCRequestHeadersFilter.class) ? new GrpcRequest() : filter;
	}

	private static HopByHop hopByHop(RemoveHopByHopHeadersFilter settings) {
		HopByHop filter = new HopByHop();
		filter.setHeaders(settings.getHeaders());
		filter.setOrder(settings.getOrder());
		return filter;
	}

	/**
	 * Observes as the gateway's filter does, which copies all headers. What the starter
	 * observes, it observes once.
	 */
	static final class Observed extends ObservedRequestHttpHeadersFilter {

		private final ObservationRegistry registry;

		private final @Nullable GatewayObservationConvention convention;

		Observed(ObservationRegistry registry, @Nullable GatewayObservationConvention convention) {
			super(registry, convention);
			this.registry = registry;
			this.convention = convention;
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			GatewayExchange state = ExchangeFilter.find(exchange);
			if (state != null && state.isObserved()) {
				return input;
			}
			if (!(input instanceof MutableHttpHeaders)) {
				return super.filter(input, exchange);
			}
			GatewayContext context = new GatewayContext(input, exchange.getRequest(), exchange);
			Observation observation = Observation.createNotStarted(this.convention,
					DefaultGatewayObservationConvention.INSTANCE, () -> context, this.registry);
			ContextView reactor = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REACTOR_CONTEXT_ATTR);
			if (reactor != null) {
				observation.parentObservation(reactor.getOrDefault(ObservationThreadLocalAccessor.KEY, null));
			}
			exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_OBSERVATION_ATTR, observation.start());
			return input;
		}

	}

	private static final class Forwarded extends RemoveForwardedHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			return (input instanceof MutableHttpHeaders mutable) ? mutable.withoutForwarded()
					: super.filter(input, exchange);
		}

	}

	private static final class XForwarded extends RemoveXForwardedHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			return (input instanceof MutableHttpHeaders mutable) ? mutable.withoutXForwarded()
					: super.filter(input, exchange);
		}

	}

	/**
	 * Its properties can be refreshed. Spring Cloud takes the defaults from a new one,
	 * and warns where it cannot make one.
	 */
	private static final class HopByHop extends RemoveHopByHopHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			return (input instanceof MutableHttpHeaders mutable)
					? mutable.without(mutable.getConnection()).without(getHeaders()) : super.filter(input, exchange);
		}

	}

	private static final class GrpcRequest extends GRPCRequestHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			if (!(input instanceof MutableHttpHeaders mutable)) {
				return super.filter(input, exchange);
			}
			if (StringUtils.startsWithIgnoreCase(mutable.getFirst(HttpHeaders.CONTENT_TYPE), "application/grpc")) {
				mutable.add("te", "trailers");
			}
			return mutable;
		}

	}

}
