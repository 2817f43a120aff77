package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.filter.TrustedClients;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.ForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.ResponseHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopResponseHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveXForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilterProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The filters of headers that the gateway has, for the starter's requests. Each of the
 * gateway's own filters copies all headers. Here the first filter makes the only copy,
 * and those after it change that. They also leave out what {@code Connection} names (RFC
 * 9110, section 7.6.1), as the WebFlux gateway does.
 */
final class HeadersFilters {

	private HeadersFilters() {
	}

	/**
	 * Filters of requests.
	 * @param filters the filters of the gateway and the application
	 * @param router tells the exchange that a request has passed the filters of its route
	 * @param trusted the clients that are believed whom they forward for
	 * @param xForwarded which headers say who forwarded a request
	 * @return the filters in their order, after one that makes the copy
	 */
	static ObjectProvider<RequestHttpHeadersFilter> requestFilters(ObjectProvider<RequestHttpHeadersFilter> filters,
			BiFunction<HttpServletRequest, URI, GatewayExchange> router, TrustedClients trusted,
			XForwardedRequestHeadersFilterProperties xForwarded) {
		RequestHttpHeadersFilter copy = (input, request) -> {
			URI url = (URI) request.attributes().get(MvcUtils.GATEWAY_REQUEST_URL_ATTR);
			boolean applies = url != null && router.apply(request.servletRequest(), url).applies();
			return applies ? MutableHttpHeaders.copyOf(input) : input;
		};
		return provider(() -> Stream.concat(Stream.of(copy),
				filters.orderedStream().map((filter) -> ofRequests(filter, trusted, xForwarded))));
	}

	/**
	 * Filters of responses. Their headers are a copy already.
	 * @param filters the filters of the gateway and the application
	 * @return the filters in their order
	 */
	static ObjectProvider<ResponseHttpHeadersFilter> responseFilters(
			ObjectProvider<ResponseHttpHeadersFilter> filters) {
		return provider(() -> filters.orderedStream().map(HeadersFilters::ofResponses));
	}

	private static <T> ObjectProvider<T> provider(Supplier<Stream<T>> filters) {
		return new ObjectProvider<>() {

			@Override
			public Stream<T> stream() {
				return filters.get();
			}

			@Override
			public Stream<T> orderedStream() {
				return filters.get();
			}

		};
	}

	/**
	 * Take the place of a filter of the gateway.
	 * @param filter any filter
	 * @return a filter that does the same without a copy, or the given one if it is not
	 * the gateway's
	 */
	static RequestHttpHeadersFilter ofRequests(RequestHttpHeadersFilter filter, TrustedClients trusted,
			XForwardedRequestHeadersFilterProperties xForwarded) {
		if (filter.getClass() == RemoveForwardedRequestHeadersFilter.class) {
			return ofOthers(filter, trusted, MutableHttpHeaders::withoutForwarded);
		}
		if (filter.getClass() == RemoveXForwardedRequestHeadersFilter.class) {
			return ofOthers(filter, trusted, MutableHttpHeaders::withoutXForwarded);
		}
		if (filter.getClass() == ForwardedRequestHeadersFilter.class) {
			return (input, request) -> filter.apply(
					(input instanceof MutableHttpHeaders mutable) ? mutable.withoutForwardedOfNobody() : input,
					request);
		}
		if (filter.getClass() == RemoveHopByHopRequestHeadersFilter.class) {
			return (input, request) -> (input instanceof MutableHttpHeaders mutable) ? withoutHopByHop(mutable)
					: filter.apply(input, request);
		}
		return (filter.getClass() == XForwardedRequestHeadersFilter.class) ? xForwarded(filter, trusted, xForwarded)
				: filter;
	}

	/**
	 * Where the gateway adds no header of its own, it removes those of clients that are
	 * trusted, too.
	 */
	private static RequestHttpHeadersFilter ofOthers(RequestHttpHeadersFilter filter, TrustedClients trusted,
			UnaryOperator<MutableHttpHeaders> removal) {
		return (input, request) -> {
			if (!isOurs(input, request)) {
				return filter.apply(input, request);
			}
			return trusted.include(request.servletRequest().getRemoteAddr()) ? input
					: removal.apply(MutableHttpHeaders.of(input));
		};
	}

	/**
	 * The gateway's filters before this one may have copied the headers.
	 */
	private static boolean isOurs(HttpHeaders input, ServerRequest request) {
		ServletExchange exchange = (input instanceof MutableHttpHeaders) ? null
				: ServletExchange.of(request.servletRequest());
		return input instanceof MutableHttpHeaders || (exchange != null && exchange.current().applies());
	}

	/**
	 * Tells the upstream who a client is that is not trusted. The gateway tells nothing
	 * then (spring-cloud-gateway issue 4267).
	 */
	private static RequestHttpHeadersFilter xForwarded(RequestHttpHeadersFilter ofTrusted, TrustedClients trusted,
			XForwardedRequestHeadersFilterProperties properties) {
		RequestHttpHeadersFilter ofOthers = new XForwardedRequestHeadersFilter(properties, ".*");
		return (input, request) -> {
			if (!isOurs(input, request)) {
				return ofTrusted.apply(input, request);
			}
			return trusted.include(request.servletRequest().getRemoteAddr()) ? addXForwarded(ofTrusted, input, request)
					: addXForwarded(ofOthers, MutableHttpHeaders.of(input).withoutXForwarded(), request);
		};
	}

	/**
	 * Take the place of a filter of the gateway.
	 * @param filter any filter
	 * @return a filter that does the same without a copy, or the given one if it is not
	 * the gateway's
	 */
	static ResponseHttpHeadersFilter ofResponses(ResponseHttpHeadersFilter filter) {
		return (filter.getClass() == RemoveHopByHopResponseHeadersFilter.class)
				? (input, response) -> (input instanceof MutableHttpHeaders mutable) ? withoutHopByHop(mutable)
						: filter.apply(input, response)
				: filter;
	}

	private static MutableHttpHeaders withoutHopByHop(MutableHttpHeaders headers) {
		return headers.without(headers.getConnection())
			.without(RemoveHopByHopRequestHeadersFilter.HEADERS_REMOVED_ON_REQUEST);
	}

	/**
	 * The gateway's filter finds the prefix of the path from the path at the upstream,
	 * but it only knows what the gateway's own filters did to the path. It would tell a
	 * prefix for each of them, though the first has all.
	 */
	private static HttpHeaders addXForwarded(RequestHttpHeadersFilter filter, HttpHeaders input,
			ServerRequest request) {
		ServletExchange exchange = ServletExchange.of(request.servletRequest());
		RouteFeatures features = (exchange != null) ? exchange.current().features() : RouteFeatures.NONE;
		String path = UpstreamTarget.path(request, features);
		Set<URI> before = MvcUtils.getAttribute(request, MvcUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR);
		int changes = (before != null) ? before.size() : 0;
		boolean stripped = !path.equals(request.uri().getRawPath());
		if (!stripped && changes < 2) {
			return filter.apply(input, request);
		}
		// The query says nothing of the prefix. A builder would make one slash of two
		URI target = URI.create(request.uri().getScheme() + "://" + request.uri().getRawAuthority() + path);
		ServerRequest sent = ServerRequest.from(request).uri(target).build();
		URI first = (before != null && changes > 0) ? before.iterator().next() : request.uri();
		sent.attributes().put(MvcUtils.GATEWAY_ORIGINAL_REQUEST_URL_ATTR, new LinkedHashSet<>(Set.of(first)));
		return filter.apply(input, sent);
	}

}
