package io.gatewaybench.webflux;

import reactor.core.publisher.Flux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * Request that is complete with its head, as it tells a length of zero. A client can
 * leave its stream of HTTP/2 open nevertheless and reset it later. Reactor Netty's client
 * would then put the connection back into its pool although the response is yet to come,
 * and the next request would get the response of this one (Reactor Netty 1.3.6).
 */
final class EmptyRequest extends ServerHttpRequestDecorator {

	private EmptyRequest(ServerHttpRequest request) {
		super(request);
	}

	/**
	 * Make sure that nothing is waited for where nothing is to come.
	 */
	static ServerWebExchange complete(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		return (request.getHeaders().getContentLength() == 0)
				? exchange.mutate().request(new EmptyRequest(request)).build() : exchange;
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return Flux.empty();
	}

}
