package io.gatewaybench.webflux;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.filter.MutableHttpHeaders;

import org.springframework.cloud.gateway.filter.headers.GRPCRequestHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveHopByHopHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveXForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.observation.ObservedRequestHttpHeadersFilter;
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
	 * Leave out what a filter does for requests that the starter observes.
	 * @param filter any filter
	 * @return one that does nothing for them if it is the gateway's that observes
	 * requests, or the filter itself
	 */
	static HttpHeadersFilter observedOnce(HttpHeadersFilter filter) {
		return (filter.getClass() == ObservedRequestHttpHeadersFilter.class) ? new ObservedOnce(filter) : filter;
	}

	/**
	 * The gateway's has no order either.
	 *
	 * @param filter the filter of the gateway
	 */
	private record ObservedOnce(HttpHeadersFilter filter) implements HttpHeadersFilter {

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			GatewayExchange state = ExchangeFilter.find(exchange);
			return (state != null && state.isObserved()) ? input : this.filter.filter(input, exchange);
		}

		@Override
		public boolean supports(Type type) {
			return this.filter.supports(type);
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
