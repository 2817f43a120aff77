package io.gatewaybench.webflux;

import io.gatewaybench.internal.filter.MutableHttpHeaders;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/**
 * Copies headers before all other filters of headers, so that {@link HeadersFilters} need
 * not.
 */
final class MutableHeadersFilter implements HttpHeadersFilter, Ordered {

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Type type) {
		return true;
	}

	@Override
	public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
		return (!(input instanceof MutableHttpHeaders) && ExchangeFilter.of(exchange).applies())
				? MutableHttpHeaders.copyOf(input) : input;
	}

}
