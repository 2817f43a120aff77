package io.gatewaybench.webflux;

import io.gatewaybench.upstream.UpstreamCall;
import reactor.core.publisher.Flux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/**
 * Request whose body is on its way to the upstream: how long the client takes for it is
 * not the upstream's fault, and what has been read cannot be sent again.
 */
final class WatchedRequest extends ServerHttpRequestDecorator {

	private final UpstreamCall call;

	private final ResponseWatch watch;

	WatchedRequest(ServerHttpRequest delegate, UpstreamCall call, ResponseWatch watch) {
		super(delegate);
		this.call = call;
		this.watch = watch;
	}

	@Override
	public Flux<DataBuffer> getBody() {
		return super.getBody().doOnNext((piece) -> {
			this.call.bodyRead();
			this.watch.awaitResponse();
		}).doOnTerminate(this.watch::awaitResponse);
	}

}
