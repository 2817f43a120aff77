package io.gatewaybench.webflux;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Set;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.filter.TrustedClients;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

import org.springframework.beans.BeanUtils;
import org.springframework.cloud.gateway.filter.headers.GRPCRequestHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveHopByHopHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.RemoveXForwardedHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.XForwardedHeadersFilter;
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
	 * @param trusted the clients that are believed
	 * @return one that does the same
	 */
	static HttpHeadersFilter of(HttpHeadersFilter filter, TrustedClients trusted) {
		if (filter.getClass() == RemoveForwardedHeadersFilter.class) {
			return new Forwarded(trusted);
		}
		if (filter.getClass() == RemoveXForwardedHeadersFilter.class) {
			return new XForwarded(trusted);
		}
		if (filter.getClass() == XForwardedHeadersFilter.class) {
			return new AddedXForwarded((XForwardedHeadersFilter) filter, trusted);
		}
		if (filter.getClass() == RemoveHopByHopHeadersFilter.class) {
			return hopByHop((RemoveHopByHopHeadersFilter) filter);
		}
		return (filter.getClass() == GRPCRequestHeadersFilter.class) ? new GrpcRequest() : filter;
	}

	/**
	 * The gateway's filters before this one may have copied the headers.
	 */
	private static boolean isOurs(HttpHeaders input, ServerWebExchange exchange) {
		GatewayExchange state = (input instanceof MutableHttpHeaders) ? null : ExchangeFilter.find(exchange);
		return input instanceof MutableHttpHeaders || (state != null && state.applies());
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
			if (state != null && state.outcome().isObserved()) {
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

	/**
	 * Where the gateway adds no header of its own, it removes those of clients that are
	 * trusted, too.
	 */
	private static final class Forwarded extends RemoveForwardedHeadersFilter {

		private final TrustedClients trusted;

		Forwarded(TrustedClients trusted) {
			this.trusted = trusted;
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			if (!isOurs(input, exchange)) {
				return super.filter(input, exchange);
			}
			return this.trusted.include(exchange.getRequest().getRemoteAddress()) ? input
					: MutableHttpHeaders.of(input).withoutForwarded();
		}

	}

	/**
	 * As {@link Forwarded}.
	 */
	private static final class XForwarded extends RemoveXForwardedHeadersFilter {

		private final TrustedClients trusted;

		XForwarded(TrustedClients trusted) {
			this.trusted = trusted;
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			if (!isOurs(input, exchange)) {
				return super.filter(input, exchange);
			}
			return this.trusted.include(exchange.getRequest().getRemoteAddress()) ? input
					: MutableHttpHeaders.of(input).withoutXForwarded();
		}

	}

	/**
	 * Tells the upstream who a client is that is not trusted. The gateway tells nothing
	 * then (spring-cloud-gateway issue 4267). It also tells a prefix for each filter that
	 * has shortened the path, though the first has all of them.
	 */
	private static final class AddedXForwarded extends XForwardedHeadersFilter {

		private static final String ANY = ".*";

		private final XForwardedHeadersFilter ofTrusted;

		private final XForwardedHeadersFilter ofOthers;

		private final TrustedClients trusted;

		AddedXForwarded(XForwardedHeadersFilter ofTrusted, TrustedClients trusted) {
			super(ANY);
			this.ofTrusted = ofTrusted;
			this.ofOthers = new XForwardedHeadersFilter(ANY);
			this.trusted = trusted;
			BeanUtils.copyProperties(ofTrusted, this.ofOthers);
			BeanUtils.copyProperties(ofTrusted, this);
		}

		@Override
		public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
			if (!isOurs(input, exchange)) {
				return this.ofTrusted.filter(input, exchange);
			}
			Set<URI> paths = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR);
			if (paths != null && paths.size() > 1) {
				exchange.getAttributes()
					.put(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR,
							new LinkedHashSet<>(Set.of(paths.iterator().next())));
			}
			HttpHeaders added = this.trusted.include(exchange.getRequest().getRemoteAddress())
					? this.ofTrusted.filter(input, exchange)
					: this.ofOthers.filter(MutableHttpHeaders.of(input).withoutXForwarded(), exchange);
			if (paths != null) {
				exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR, paths);
			}
			return added;
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
