package io.gatewaybench.webflux;

import java.util.Objects;

import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.filter.RequestRules;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Begins the {@link GatewayExchange} of a request and ends it, outside all other filters,
 * and keeps it in an attribute for those inside. Keeps forms for filters that read them.
 */
final class ExchangeFilter implements WebFilter, Ordered {

	private static final String ATTRIBUTE = GatewayExchange.class.getName();

	private final Exchanges exchanges;

	ExchangeFilter(Exchanges exchanges) {
		this.exchanges = exchanges;
	}

	/**
	 * The state of a request.
	 */
	static GatewayExchange of(ServerWebExchange exchange) {
		return Objects.requireNonNull(find(exchange), "The filter that begins the exchange is missing");
	}

	/**
	 * The state of a request, or {@code null} where the starter is switched off.
	 */
	static @Nullable GatewayExchange find(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE);
	}

	static GatewayExchange begin(ServerWebExchange exchange, Exchanges exchanges) {
		return put(exchange, exchanges.begin());
	}

	/**
	 * The state of a request whose route has been found. A circuit breaker may have sent
	 * it to another route before.
	 */
	static GatewayExchange toRoute(ServerWebExchange exchange) {
		GatewayExchange current = of(exchange);
		return (current.phase() == Phase.ARRIVED) ? current : put(exchange, current.reroute());
	}

	/**
	 * The state of a request that is about to be sent. The gateway's retry filter may
	 * have sent it before.
	 */
	static GatewayExchange toSend(ServerWebExchange exchange) {
		GatewayExchange current = of(exchange);
		return (current.phase() == Phase.ROUTED) ? current : put(exchange, current.restart());
	}

	private static GatewayExchange put(ServerWebExchange exchange, GatewayExchange current) {
		exchange.getAttributes().put(ATTRIBUTE, current);
		return current;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		int refusal = ClientRequest.refusal(exchange.getRequest());
		if (refusal != RequestRules.PASS) {
			return ClientRequest.answer(exchange.getResponse(), refusal);
		}
		begin(exchange, this.exchanges);
		ClientRequest.rememberPath(exchange);
		ServerWebExchange prepared = FormExchange.decorate(ClientRequest.ownHeaders(exchange));
		return new MonoOperator<Void, Void>(chain.filter(prepared)) {

			@Override
			public void subscribe(CoreSubscriber<? super Void> actual) {
				this.source.subscribe(new Ending(actual, exchange));
			}

		};
	}

	private static final class Ending extends ForwardingSubscriber<Void, Void> {

		private final ServerWebExchange exchange;

		Ending(CoreSubscriber<? super Void> actual, ServerWebExchange exchange) {
			super(actual);
			this.exchange = exchange;
		}

		@Override
		public void onNext(Void nothing) {
		}

		@Override
		public void onComplete() {
			GatewayExchange current = of(this.exchange);
			current.outcome().completed(current, status());
			current.end();
			super.onComplete();
		}

		/**
		 * Where nothing has been sent yet, an error page follows that this filter does
		 * not see; it has the status that the exception asks for.
		 */
		@Override
		public void onError(Throwable error) {
			GatewayExchange current = of(this.exchange);
			boolean committed = isCommitted();
			current.outcome().failed(current, committed ? status() : status(error), committed);
			current.end();
			super.onError(error);
		}

		/**
		 * The upstream hears of it first, so that nothing is left to break off.
		 */
		@Override
		public void cancel() {
			GatewayExchange current = of(this.exchange);
			current.outcome().cancelled(current, status(), isCommitted());
			super.cancel();
			current.end();
		}

		private boolean isCommitted() {
			return this.exchange.getResponse().isCommitted();
		}

		private int status() {
			HttpStatusCode status = this.exchange.getResponse().getStatusCode();
			return (status != null) ? status.value() : HttpStatus.OK.value();
		}

		private static int status(Throwable error) {
			HttpStatusCode status = (error instanceof ErrorResponse response) ? response.getStatusCode()
					: HttpStatus.INTERNAL_SERVER_ERROR;
			return status.value();
		}

	}

}
