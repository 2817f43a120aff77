package io.gatewaybench.webflux;

import io.gatewaybench.internal.filter.ConnectionOptions;
import io.gatewaybench.internal.filter.RequestRules;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * The request as the client sent it, before any filter.
 */
final class ClientRequest {

	private static final String HTTP_1_0 = "HTTP/1.0";

	private static final String FORWARDED_PREFIX = "X-Forwarded-Prefix";

	private static final String OWN_PATH = ClientRequest.class.getName() + ".ownPath";

	private ClientRequest() {
	}

	/**
	 * The status with which the gateway answers the request itself.
	 * @return {@link RequestRules#PASS} if it may pass
	 */
	static int refusal(ServerHttpRequest request) {
		if (!(ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest sent)) {
			return RequestRules.PASS;
		}
		HttpHeaders headers = request.getHeaders();
		boolean http10 = HTTP_1_0.equals(sent.version().text());
		int refusal = RequestRules.framing(http10, headers.get(HttpHeaders.TRANSFER_ENCODING));
		return (refusal != RequestRules.PASS) ? refusal
				: RequestRules.target(request.getMethod().name(), sent.uri(), http10, headers.get(HttpHeaders.HOST));
	}

	/**
	 * Answer a request that does not pass. Where its end is uncertain, so is what follows
	 * it on the connection.
	 */
	static Mono<Void> answer(ServerHttpResponse response, int status) {
		HttpStatusCode code = HttpStatusCode.valueOf(status);
		response.setStatusCode(code);
		if (code.isError()) {
			response.getHeaders().set(HttpHeaders.CONNECTION, "close");
		}
		return response.setComplete();
	}

	/**
	 * Leave out what {@code Connection} names. A filter may add a header of the same name
	 * later, for the upstream.
	 */
	static ServerWebExchange ownHeaders(ServerWebExchange exchange) {
		ConnectionOptions options = ConnectionOptions
			.of(exchange.getRequest().getHeaders().get(HttpHeaders.CONNECTION));
		if (options.named().isEmpty()) {
			return exchange;
		}
		return exchange.mutate().request((request) -> request.headers((headers) -> {
			options.named().forEach(headers::remove);
			headers.set(HttpHeaders.CONNECTION, options.own());
		})).build();
	}

	/**
	 * Remember the path that the client sent where the request has another one. Spring
	 * and Reactor Netty put in front of it what {@code X-Forwarded-Prefix} says, where
	 * they are told to believe it. The gateway then looks for a route by the path that
	 * was sent. Otherwise a client could choose the route by its prefix, whatever path
	 * the application has allowed it.
	 */
	static void rememberPath(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		if (request.getPath().contextPath().value().isEmpty()
				|| !(ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest sent)
				|| !sent.requestHeaders().contains(FORWARDED_PREFIX)) {
			return;
		}
		String path = RequestRules.path(sent.uri());
		if (!path.equals(request.getURI().getRawPath())) {
			String own = path.isEmpty() ? "/" : path;
			exchange.getAttributes().put(OWN_PATH, own);
			exchange.getAttributes()
				.put(ServerWebExchangeUtils.GATEWAY_PREDICATE_PATH_CONTAINER_ATTR, PathContainer.parsePath(own));
		}
	}

	/**
	 * The request with the path that the client sent, for the filters of its route. They
	 * would take the prefix for a part of the path. The upstream still learns of it, as
	 * of the path that the request came with. A request that is forwarded within the
	 * gateway has a path without a prefix.
	 * @param basePath path of the application
	 */
	static ServerHttpRequest withOwnPath(ServerWebExchange exchange, String basePath) {
		ServerHttpRequest request = exchange.getRequest();
		String own = exchange.getAttribute(OWN_PATH);
		if (own == null || request.getPath().contextPath().value().isEmpty()) {
			return request;
		}
		ServerWebExchangeUtils.addOriginalRequestUrl(exchange, request.getURI());
		return request.mutate().path(own).contextPath(own.startsWith(basePath) ? basePath : "").build();
	}

}
