package io.gatewaybench.webflux;

import io.gatewaybench.filter.ConnectionOptions;
import io.gatewaybench.filter.RequestRules;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * The request as the client sent it, before any filter.
 */
final class ClientRequest {

	private static final String HTTP_1_0 = "HTTP/1.0";

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

}
