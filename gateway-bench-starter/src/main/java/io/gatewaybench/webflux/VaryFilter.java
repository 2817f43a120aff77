package io.gatewaybench.webflux;

import java.util.List;

import io.gatewaybench.filter.Feature;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells caches that a body which the server may compress depends on what the client
 * accepts (RFC 9110, section 12.5.5). The upstream can't tell them, because the gateway
 * asks it for one coding only. Tomcat does so without help, Reactor Netty does not.
 */
final class VaryFilter implements GlobalFilter, Ordered {

	/**
	 * Inside the filter that decides which features the exchange has.
	 */
	static final int ORDER = ResponseFilter.ORDER + 1;

	private static final String ACCEPT_ENCODING = "accept-encoding";

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		if (ExchangeFilter.of(exchange).features().has(Feature.BODY_REWRITE)) {
			exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> vary(exchange)));
		}
		return chain.filter(exchange);
	}

	private static void vary(ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		HttpStatusCode status = response.getStatusCode();
		HttpHeaders headers = response.getHeaders();
		if (ExchangeFilter.of(exchange)
			.rewrites(exchange.getRequest().getMethod(), (status != null) ? status.value() : 200, headers)
				&& !isVaried(headers.getVary())) {
			headers.add(HttpHeaders.VARY, ACCEPT_ENCODING);
		}
	}

	private static boolean isVaried(List<String> vary) {
		for (String name : vary) {
			if (name.equals("*") || name.equalsIgnoreCase(ACCEPT_ENCODING)) {
				return true;
			}
		}
		return false;
	}

}
