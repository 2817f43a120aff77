package io.gatewaybench.webmvc;

import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.OwnHeaders;

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
		return RequestFeatures.resolve(request.servletRequest(), this.scope).isEmpty() ? input
				: OwnHeaders.copyOf(input);
	}

}
