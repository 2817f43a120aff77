package io.gatewaybench.webflux;

import java.net.URI;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.MutableHttpHeaders;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Changes the headers of one direction, after all other filters of headers.
 */
final class GatewayHeadersFilter implements HttpHeadersFilter, Ordered {

	/**
	 * What Netty adds to a request that came over HTTP/2.
	 */
	private static final String HTTP2_STREAM = "x-http2-stream-id";

	private static final String HTTP2_SCHEME = "x-http2-scheme";

	private final Type direction;

	private final HeaderRules rules;

	GatewayHeadersFilter(Type direction, HeaderRules rules) {
		this.direction = direction;
		this.rules = rules;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public boolean supports(Type type) {
		return type == this.direction;
	}

	@Override
	public HttpHeaders filter(HttpHeaders input, ServerWebExchange exchange) {
		GatewayExchange state = ExchangeFilter.of(exchange);
		boolean observed = this.direction == Type.REQUEST && state.outcome().isObserved();
		if (!state.applies() && !observed) {
			return input;
		}
		HttpHeaders headers = (input == exchange.getRequest().getHeaders()) ? MutableHttpHeaders.copyOf(input) : input;
		if (this.direction == Type.REQUEST) {
			state.changeRequest(this.rules, headers, isRepeatable(exchange.getRequest()));
			headers.remove(HTTP2_STREAM);
			headers.remove(HTTP2_SCHEME);
		}
		else {
			state.changeResponse(this.rules, headers);
		}
		if (observed) {
			URI target = exchange.getRequiredAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
			state.outcome().sending(state, target, headers);
		}
		return headers;
	}

	private static boolean isRepeatable(ServerHttpRequest request) {
		return HttpMethod.GET.equals(request.getMethod()) && !RequestWithBody.hasBody(request);
	}

}
