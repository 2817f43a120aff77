package io.gatewaybench.webflux;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Decision;
import io.gatewaybench.internal.upstream.Abortable;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

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
	 * @param state its state, which waits
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

	/**
	 * Remember the connection that the request of an attempt is sent on.
	 */
	static void sent(HttpClientRequest request, Connection connection) {
		Waiting attempt = request.currentContextView().getOrDefault(Waiting.class, null);
		if (attempt != null) {
			attempt.sender = connection.channel().eventLoop();
		}
	}

	/**
	 * The response has begun. If its attempt was left, the exchange may have the response
	 * of another attempt or route by now, and must not get this one.
	 * @param connection its connection, which is closed if the response is not wanted
	 * @return whether the response is wanted
	 */
	static boolean responds(HttpClientResponse response, Connection connection) {
		Waiting attempt = response.currentContextView().getOrDefault(Waiting.class, null);
		if (attempt == null) {
			return true;
		}
		attempt.connection = connection;
		if (attempt.hasEnded()) {
			connection.dispose();
			return false;
		}
		return true;
	}

	/**
	 * Run a task once a connection that the attempt leaves is closed.
	 * @param context context of the client of the upstream, or of another subscriber
	 */
	static void afterLeaving(ContextView context, Runnable task) {
		Waiting attempt = context.getOrDefault(Waiting.class, null);
		EventLoop thread = (attempt != null) ? attempt.sender : null;
		if (thread == null) {
			task.run();
		}
		else {
			ExchangeConnection.inThread(thread, task);
		}
	}

	private static final class Waiting extends AbortableSubscriber implements Abortable {

		private final ServerWebExchange exchange;

		private final GatewayExchange state;

		private final Context context;

		/**
		 * Thread of the connection, or {@code null} as long as nothing is sent.
		 */
		private volatile @Nullable EventLoop sender;

		/**
		 * Connection of a response that has begun. Only the thread of the connection
		 * reads and writes it.
		 */
		private @Nullable Connection connection;

		Waiting(CoreSubscriber<? super Void> actual, ServerWebExchange exchange, GatewayExchange state) {
			super(actual);
			this.exchange = exchange;
			this.state = state;
			this.context = super.currentContext().put(Waiting.class, this);
		}

		@Override
		public Context currentContext() {
			return this.context;
		}

		/**
		 * What aborts the attempt can't come before it, and so an error not before the
		 * subscription.
		 */
		@Override
		public void onSubscribe(Subscription subscription) {
			super.onSubscribe(subscription);
			if (!hasEnded()) {
				this.state.upstream().attempt(this, !isWebSocket());
				subscription.request(Long.MAX_VALUE);
			}
		}

		/**
		 * The source may complete as soon as it is asked, so it is not asked before the
		 * attempt has begun.
		 */
		@Override
		public void request(long count) {
		}

		@Override
		public void onComplete() {
			if (!end()) {
				return;
			}
			Decision decision;
			try {
				HttpStatusCode status = this.exchange.getResponse().getStatusCode();
				decision = this.state.upstream().responded((status != null) ? status.value() : 0);
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

		/**
		 * Reactor Netty (1.3.6) asks in this thread whether the response is complete, and
		 * closes the connection later in its own thread. In between, the next request may
		 * get the connection, and would break.
		 */
		@Override
		void leave() {
			EventLoop thread = this.sender;
			if (thread == null) {
				super.leave();
			}
			else {
				ExchangeConnection.inThread(thread, this::close);
			}
		}

		/**
		 * The exchange can't be asked for the connection. It may have the connection of a
		 * fallback by now.
		 */
		private void close() {
			super.leave();
			// The response may have begun before, and would not be read
			if (this.connection != null) {
				this.connection.dispose();
			}
		}

		private boolean isWebSocket() {
			return !WebSocketRelay.isWanted(this.exchange)
					&& "websocket".equalsIgnoreCase(this.exchange.getRequest().getHeaders().getUpgrade());
		}

		/**
		 * In another thread, because all timeouts of the gateway share the timer's
		 * thread.
		 */
		@Override
		public void abort() {
			Schedulers.parallel().schedule(() -> breakOff(this.state.upstream().failure(null)));
		}

		@Override
		boolean end() {
			boolean first = super.end();
			if (first) {
				this.state.upstream().attemptEnded();
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
