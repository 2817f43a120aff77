package io.gatewaybench.webmvc;

import java.net.URI;

import io.gatewaybench.filter.OwnHeaders;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveHopByHopResponseHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.RemoveXForwardedRequestHeadersFilter;
import org.springframework.cloud.gateway.server.mvc.filter.XForwardedRequestHeadersFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The gateway's filters of headers, without the copy that each of them makes where the
 * headers are our own. There they also leave out what {@code Connection} names (RFC 9110,
 * section 7.6.1), as the WebFlux gateway does.
 */
final class LeanHeadersFilters {

	private LeanHeadersFilters() {
	}

	/**
	 * Take the place of a filter of the gateway.
	 * @param filter any filter
	 * @return one that does the same
	 */
	static HttpHeadersFilter<?> of(HttpHeadersFilter<?> filter) {
		if (filter.getClass() == RemoveForwardedRequestHeadersFilter.class) {
			return new Forwarded();
		}
		if (filter.getClass() == RemoveXForwardedRequestHeadersFilter.class) {
			return new XForwarded();
		}
		if (filter.getClass() == XForwardedRequestHeadersFilter.class) {
			return new XForwardedPrefix((XForwardedRequestHeadersFilter) filter);
		}
		if (filter.getClass() == RemoveHopByHopRequestHeadersFilter.class) {
			return new HopByHopOfRequest();
		}
		return (filter.getClass() == RemoveHopByHopResponseHeadersFilter.class) ? new HopByHopOfResponse() : filter;
	}

	private static OwnHeaders hopByHop(OwnHeaders headers) {
		return headers.without(headers.getConnection())
			.without(RemoveHopByHopRequestHeadersFilter.HEADERS_REMOVED_ON_REQUEST);
	}

	private static final class Forwarded extends RemoveForwardedRequestHeadersFilter {

		@Override
		public HttpHeaders apply(HttpHeaders input, ServerRequest request) {
			return (input instanceof OwnHeaders own) ? own.withoutForwarded() : super.apply(input, request);
		}

	}

	private static final class XForwarded extends RemoveXForwardedRequestHeadersFilter {

		@Override
		public HttpHeaders apply(HttpHeaders input, ServerRequest request) {
			return (input instanceof OwnHeaders own) ? own.withoutXForwarded() : super.apply(input, request);
		}

	}

	/**
	 * Shows the gateway's filter the path at the upstream, from which it tells the
	 * prefix. It knows the paths of the gateway's own filters only.
	 */
	private record XForwardedPrefix(
			XForwardedRequestHeadersFilter filter) implements RequestHttpHeadersFilter, Ordered {

		@Override
		public int getOrder() {
			return this.filter.getOrder();
		}

		@Override
		public HttpHeaders apply(HttpHeaders input, ServerRequest request) {
			String path = UpstreamPath.of(request, RequestFeatures.of(request.servletRequest()));
			if (path.equals(request.uri().getRawPath())) {
				return this.filter.apply(input, request);
			}
			URI target = UriComponentsBuilder.fromUri(request.uri()).replacePath(path).build(true).toUri();
			ServerRequest sent = ServerRequest.from(request).uri(target).build();
			MvcUtils.addOriginalRequestUrl(sent, request.uri());
			return this.filter.apply(input, sent);
		}

	}

	private static final class HopByHopOfRequest extends RemoveHopByHopRequestHeadersFilter {

		@Override
		public HttpHeaders apply(HttpHeaders input, ServerRequest request) {
			return (input instanceof OwnHeaders own) ? hopByHop(own) : super.apply(input, request);
		}

	}

	private static final class HopByHopOfResponse extends RemoveHopByHopResponseHeadersFilter {

		@Override
		public HttpHeaders apply(HttpHeaders input, ServerResponse response) {
			return (input instanceof OwnHeaders own) ? hopByHop(own) : super.apply(input, response);
		}

	}

}
