package io.gatewaybench.webflux;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.observability.SignalListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Notices how the body of a response ended. The exchange itself does not tell: the server
 * completes it when the client has left as if all had been written, and a client that
 * closes right after the last byte cancels it though all was written.
 */
final class BodyWatch extends DefaultSignalListener<Object> {

	private static final String ATTRIBUTE = BodyWatch.class.getName();

	private volatile boolean ended;

	private volatile boolean cancelled;

	private BodyWatch() {
	}

	/**
	 * The watch over the body of the exchange, or {@code null} if it has no body.
	 */
	static @Nullable BodyWatch of(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE);
	}

	static <T> Publisher<? extends T> over(Publisher<? extends T> body, ServerWebExchange exchange) {
		BodyWatch watch = new BodyWatch();
		exchange.getAttributes().put(ATTRIBUTE, watch);
		return (body instanceof Mono<? extends T> mono) ? mono.tap(watch::listener)
				: Flux.from(body).tap(watch::listener);
	}

	@SuppressWarnings({ "rawtypes", "unchecked" })
	private <T> SignalListener<T> listener() {
		return (SignalListener) this;
	}

	/**
	 * Whether the last byte was written.
	 */
	boolean hasEnded() {
		return this.ended;
	}

	/**
	 * Whether the client left before the last byte was written.
	 */
	boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public void doOnComplete() {
		this.ended = true;
	}

	@Override
	public void doOnCancel() {
		this.cancelled = !this.ended;
	}

}
