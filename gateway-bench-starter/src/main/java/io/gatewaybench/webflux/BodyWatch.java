package io.gatewaybench.webflux;

import org.jspecify.annotations.Nullable;

import org.springframework.web.server.ServerWebExchange;

/**
 * Notices how the body of a response ended. The exchange itself does not tell: the server
 * completes it when the client has left as if all had been written, and a client that
 * closes right after the last byte cancels it though all was written.
 */
final class BodyWatch implements BodyListener {

	private static final String ATTRIBUTE = BodyWatch.class.getName();

	private volatile boolean ended;

	private volatile boolean cancelled;

	BodyWatch(ServerWebExchange exchange) {
		exchange.getAttributes().put(ATTRIBUTE, this);
	}

	/**
	 * The watch over the body of the exchange, or {@code null} if it has no body.
	 */
	static @Nullable BodyWatch of(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE);
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
	public void completed() {
		this.ended = true;
	}

	@Override
	public void cancelled() {
		this.cancelled = !this.ended;
	}

}
