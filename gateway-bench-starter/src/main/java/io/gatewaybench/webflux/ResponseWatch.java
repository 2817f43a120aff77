package io.gatewaybench.webflux;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.Watchdog;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.observability.SignalListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Watches over the response of an upstream, from the attempt to the last byte: how long
 * it takes, and how it ends.
 */
final class ResponseWatch extends DefaultSignalListener<Object> {

	private static final String ATTRIBUTE = ResponseWatch.class.getName();

	private final ServerWebExchange exchange;

	private final UpstreamCall call;

	private final Watchdog watchdog;

	private final AtomicLong demand = new AtomicLong();

	private volatile Watchdog.@Nullable Watch current;

	ResponseWatch(ServerWebExchange exchange, UpstreamCall call, Watchdog watchdog) {
		this.exchange = exchange;
		this.call = call;
		this.watchdog = watchdog;
		exchange.getAttributes().put(ATTRIBUTE, this);
	}

	/**
	 * The watch over the exchange, or {@code null} if it has no upstream.
	 */
	static @Nullable ResponseWatch of(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE);
	}

	/**
	 * Until the response begins. A session of a web socket has no such moment.
	 */
	Mono<Void> over(Mono<Void> attempt) {
		if (this.call.timeouts().response().isZero()
				|| "websocket".equalsIgnoreCase(this.exchange.getRequest().getHeaders().getUpgrade())) {
			return attempt;
		}
		return Mono.defer(() -> {
			Sinks.Empty<Void> expired = Sinks.empty();
			// The thread of the watchdog has no time for what comes after
			Watchdog.Watch watch = this.watchdog.watch(() -> Schedulers.parallel().schedule(expired::tryEmitEmpty));
			this.current = watch;
			awaitResponse();
			return attempt.timeout(expired.asMono()).doFinally((signal) -> watch.close());
		}).onErrorMap(TimeoutException.class, (ex) -> new UpstreamException(UpstreamFailure.RESPONSE_TIMEOUT, ex));
	}

	/**
	 * It is the upstream's turn.
	 */
	void awaitResponse() {
		Watchdog.Watch watch = this.current;
		if (watch != null) {
			watch.await(this.call.timeouts().response());
		}
	}

	/**
	 * Until the last byte.
	 */
	<T> Flux<T> body(Publisher<? extends T> body) {
		return Flux.<T>from(body).tap(this::<T>listener).onErrorMap(this::broken);
	}

	@SuppressWarnings({ "rawtypes", "unchecked" })
	private <T> SignalListener<T> listener() {
		return (SignalListener) this;
	}

	private Throwable broken(Throwable error) {
		Watchdog.Watch watch = this.current;
		if (watch != null && watch.isExpired()) {
			return new UpstreamException(UpstreamFailure.BODY_TIMEOUT, error);
		}
		return UpstreamException.broken(error);
	}

	@Override
	public void doFirst() {
		Connection connection = this.exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR);
		this.current = (connection != null && !this.call.timeouts().betweenBytes().isZero())
				? this.watchdog.watch(() -> connection.channel().close()) : null;
	}

	@Override
	public void doOnRequest(long count) {
		if (this.demand.getAndAccumulate(count, Operators::addCap) == 0) {
			awaitBytes();
		}
	}

	@Override
	public void doOnNext(Object buffer) {
		if (this.demand.get() == Long.MAX_VALUE || this.demand.decrementAndGet() > 0) {
			awaitBytes();
		}
		else {
			awaitClient();
			// The client may have asked for more meanwhile
			if (this.demand.get() > 0) {
				awaitBytes();
			}
		}
	}

	/**
	 * It is the client's turn, whose time is not limited here.
	 */
	private void awaitClient() {
		Watchdog.Watch watch = this.current;
		if (watch != null) {
			watch.arrived();
		}
	}

	private void awaitBytes() {
		Watchdog.Watch watch = this.current;
		if (watch != null) {
			watch.await(this.call.timeouts().betweenBytes());
		}
	}

	@Override
	public void doOnComplete() {
		this.call.completed();
	}

	@Override
	public void doOnError(Throwable error) {
		this.call.broken(((UpstreamException) broken(error)).failure());
	}

	@Override
	public void doFinally(SignalType signal) {
		Watchdog.Watch watch = this.current;
		if (watch != null) {
			watch.close();
		}
	}

}
