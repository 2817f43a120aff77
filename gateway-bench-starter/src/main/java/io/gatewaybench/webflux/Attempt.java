package io.gatewaybench.webflux;

import java.util.concurrent.TimeoutException;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.exchange.GatewayExchange.Decision;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * One attempt on an instance, which ends when its response begins, or when that takes too
 * long.
 */
final class Attempt extends MonoOperator<Void, Void> {

	/**
	 * How an attempt ends when another one is to follow although a response has come.
	 */
	static final RuntimeException UNWANTED = new UnwantedResponse();

	private final ServerWebExchange exchange;

	private final GatewayExchange state;

	/**
	 * Create the attempt.
	 * @param source sends the request, and completes when the response begins
	 * @param exchange the exchange
	 * @param state its state, which knows how long to wait
	 */
	Attempt(Mono<Void> source, ServerWebExchange exchange, GatewayExchange state) {
		super(source);
		this.exchange = exchange;
		this.state = state;
	}

	@Override
	public void subscribe(CoreSubscriber<? super Void> actual) {
		this.source.subscribe(new Waiting(actual, this.exchange, this.state));
	}

	private static final class Waiting extends Breakable {

		private final ServerWebExchange exchange;

		private final GatewayExchange state;

		Waiting(CoreSubscriber<? super Void> actual, ServerWebExchange exchange, GatewayExchange state) {
			super(actual);
			this.exchange = exchange;
			this.state = state;
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			// The time may be over at once
			this.upstream = subscription;
			// The thread of the watchdog has no time for what comes after
			this.state.attempt(() -> Schedulers.parallel().schedule(this::expire), !isWebSocket());
			super.onSubscribe(subscription);
		}

		@Override
		public void onComplete() {
			if (!end()) {
				return;
			}
			Decision decision;
			try {
				HttpStatusCode status = this.exchange.getResponse().getStatusCode();
				decision = this.state.responded((status != null) ? status.value() : 0);
			}
			catch (RuntimeException ex) {
				this.downstream.onError(ex);
				return;
			}
			if (decision == Decision.SEND_AGAIN) {
				this.downstream.onError(UNWANTED);
			}
			else {
				this.downstream.onComplete();
			}
		}

		private boolean isWebSocket() {
			return "websocket".equalsIgnoreCase(this.exchange.getRequest().getHeaders().getUpgrade());
		}

		private void expire() {
			breakOff(new UpstreamException(UpstreamFailure.RESPONSE_TIMEOUT, new TimeoutException()));
		}

		@Override
		boolean end() {
			boolean first = super.end();
			if (first) {
				this.state.attemptEnded();
			}
			return first;
		}

	}

	/**
	 * Shared, so it remembers nothing.
	 */
	private static final class UnwantedResponse extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnwantedResponse() {
			super("The response is to come from another instance", null, false, false);
		}

	}

}
