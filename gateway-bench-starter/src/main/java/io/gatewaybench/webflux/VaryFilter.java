package io.gatewaybench.webflux;

import java.util.List;

import io.gatewaybench.internal.rewrite.ContentCoding;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells caches that a body which the server may compress depends on what the client
 * accepts (RFC 9110, section 12.5.5). The upstream need not know it, and on routes that
 * are rewritten it can't, because the gateway asks it for one coding only. Tomcat tells
 * caches without help, Reactor Netty does not.
 */
final class VaryFilter implements GlobalFilter, Ordered {

	/**
	 * Inside the filter that decides which features the exchange has.
	 */
	static final int ORDER = ResponseFilter.ORDER + 1;

	private static final String ACCEPT_ENCODING = "accept-encoding";

	private final List<MimeType> compressed;

	/**
	 * Create the filter.
	 * @param compressed types that the server compresses
	 */
	VaryFilter(List<MimeType> compressed) {
		this.compressed = compressed;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		if (ExchangeFilter.of(exchange).applies()) {
			exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> vary(exchange.getResponse())));
		}
		return chain.filter(exchange);
	}

	private void vary(ServerHttpResponse response) {
		HttpHeaders headers = response.getHeaders();
		HttpStatusCode status = response.getStatusCode();
		if (isCompressed(headers.getFirst(HttpHeaders.CONTENT_TYPE)) && !isVaried(headers.getVary())
				&& !headers.containsHeader(HttpHeaders.CONTENT_ENCODING)
				&& ContentCoding.isAllowed((status != null) ? status.value() : 200, headers)) {
			headers.add(HttpHeaders.VARY, ACCEPT_ENCODING);
		}
	}

	private boolean isCompressed(@Nullable String contentType) {
		if (contentType == null) {
			return false;
		}
		try {
			MimeType type = MimeTypeUtils.parseMimeType(contentType);
			return this.compressed.stream().anyMatch((known) -> known.isCompatibleWith(type));
		}
		catch (InvalidMimeTypeException ex) {
			return false;
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
