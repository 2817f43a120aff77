package io.gatewaybench.webflux;

import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.metrics.GatewayMetrics;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Times the whole exchange, from its arrival to the last byte of the response.
 */
final class MetricsFilter implements WebFilter, Ordered {

	private final GatewayMetrics metrics;

	MetricsFilter(GatewayMetrics metrics) {
		this.metrics = metrics;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return new Timed(chain.filter(exchange), exchange, this.metrics);
	}

	/**
	 * Reactor's {@code tap} without what nobody here asks for.
	 */
	private static final class Timed extends MonoOperator<Void, Void> {

		private final ServerWebExchange exchange;

		private final GatewayMetrics metrics;

		Timed(Mono<Void> source, ServerWebExchange exchange, GatewayMetrics metrics) {
			super(source);
			this.exchange = exchange;
			this.metrics = metrics;
		}

		@Override
		public void subscribe(CoreSubscriber<? super Void> actual) {
			this.source.subscribe(new Timing(actual, this.exchange, this.metrics));
		}

	}

	private static final class Timing extends Relay<Void, Void> {

		private final long start = System.nanoTime();

		private final ServerWebExchange exchange;

		private final GatewayMetrics metrics;

		private final AtomicBoolean counted = new AtomicBoolean();

		Timing(CoreSubscriber<? super Void> actual, ServerWebExchange exchange, GatewayMetrics metrics) {
			super(actual);
			this.exchange = exchange;
			this.metrics = metrics;
		}

		@Override
		public void onNext(Void nothing) {
		}

		@Override
		public void onComplete() {
			BodyWatch body = BodyWatch.of(this.exchange);
			if (body == null && WatchedRequest.hasClientFailed(this.exchange)) {
				count(0, false);
			}
			else {
				count(status(), body == null || !body.isCancelled());
			}
			super.onComplete();
		}

		/**
		 * Where nothing has been sent yet, an error page follows that this filter does
		 * not see; it has the status that the exception asks for.
		 */
		@Override
		public void onError(Throwable error) {
			if (this.exchange.getResponse().isCommitted()) {
				count(status(), false);
			}
			else {
				HttpStatusCode status = (error instanceof ErrorResponse response) ? response.getStatusCode()
						: HttpStatus.INTERNAL_SERVER_ERROR;
				count(status.value(), true);
			}
			super.onError(error);
		}

		@Override
		public void cancel() {
			BodyWatch body = BodyWatch.of(this.exchange);
			count(this.exchange.getResponse().isCommitted() ? status() : 0, body != null && body.hasEnded());
			super.cancel();
		}

		private int status() {
			ServerHttpResponse response = this.exchange.getResponse();
			HttpStatusCode status = response.getStatusCode();
			return (status != null) ? status.value() : HttpStatus.OK.value();
		}

		private void count(int status, boolean completed) {
			Route route = this.exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
			if (route != null && ExchangeFeatures.of(this.exchange).has(Feature.METRICS)
					&& this.counted.compareAndSet(false, true)) {
				this.metrics.request(route.getId(), status, completed, System.nanoTime() - this.start);
			}
		}

	}

}
