package io.gatewaybench.webflux;

import java.net.URI;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.upstream.UpstreamCall;

import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sets the headers of one direction, after all other filters of headers. A request goes
 * on without its expectation, which the server has answered: an upstream that answers it
 * again sends an interim response for which no client waits.
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
		RouteFeatures features = state.features();
		HttpHeaders headers = (input == exchange.getRequest().getHeaders()) ? MutableHttpHeaders.copyOf(input) : input;
		if (features.has(Feature.HEADERS)) {
			this.rules.applyTo(state.routeId(), headers);
		}
		if (this.direction == Type.REQUEST) {
			headers.remove(HttpHeaders.EXPECT);
			ConnectionOptions.UNNAMED.forEach(headers::remove);
			headers.remove(HTTP2_STREAM);
			headers.remove(HTTP2_SCHEME);
			if (features.has(Feature.BODY_REWRITE)) {
				RewriteRules.prepare(headers, state.mayAskForPart(isRepeatable(exchange.getRequest())));
			}
		}
		else {
			UpstreamCall call = state.upstream().call();
			String cookie = (call != null) ? call.cookie() : null;
			if (cookie != null) {
				headers.add(HttpHeaders.SET_COOKIE, cookie);
			}
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
