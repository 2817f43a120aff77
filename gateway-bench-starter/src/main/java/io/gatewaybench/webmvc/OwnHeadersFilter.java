package io.gatewaybench.webmvc;

import java.net.URI;

import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.OwnHeaders;
import io.gatewaybench.upstream.Upstreams;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.filter.HttpHeadersFilter.RequestHttpHeadersFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Copies the headers of a request before all other filters of headers, so that
 * {@link LeanHeadersFilters} need not.
 */
final class OwnHeadersFilter implements RequestHttpHeadersFilter, Ordered {

	private final FeatureScope scope;

	OwnHeadersFilter(FeatureScope scope) {
		this.scope = scope;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public HttpHeaders apply(HttpHeaders input, ServerRequest request) {
		boolean featureless = RequestFeatures.resolve(request.servletRequest(), this.scope).isEmpty();
		return (featureless && !hasUpstream(request)) ? input : OwnHeaders.copyOf(input);
	}

	private static boolean hasUpstream(ServerRequest request) {
		return request.attribute(MvcUtils.GATEWAY_REQUEST_URL_ATTR)
			.filter((url) -> Upstreams.isUpstream((URI) url))
			.isPresent();
	}

}
