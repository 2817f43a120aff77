package io.gatewaybench.webflux;

import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.TrailerHeadersFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/**
 * Leaves out the trailers of a body that is rewritten: they may speak of the old one, as
 * a digest does, and most bodies leave with a length and have no place for them. Other
 * bodies, such as those of gRPC, keep theirs.
 */
final class TrailersFilter implements HttpHeadersFilter, TrailerHeadersFilter {

	@Override
	public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
		return input;
	}

	@Override
	public boolean supports(Type type) {
		return false;
	}

	@Override
	public HttpHeaders trailers(@Nullable HttpHeaders input, ServerWebExchange exchange) {
		if (input == null) {
			return new HttpHeaders();
		}
		return (input.isEmpty() || !ExchangeFilter.of(exchange).upstream().isBodyHeld()) ? input : new HttpHeaders();
	}

}
