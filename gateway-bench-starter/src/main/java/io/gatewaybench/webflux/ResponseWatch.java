package io.gatewaybench.webflux;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.Watchdog;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.netty.Connection;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;

/**
 * Watches over the response of an upstream, from the attempt to the last byte: how long
 * it takes, and how it ends.
 */
final class ResponseWatch implements BodyListener {

	private static final String ATTRIBUTE = ResponseWatch.class.getName();

	private final ServerWebExchange exchange;

	private final UpstreamCall call;

	private final Watchdog watchdog;

	private final AtomicLong demand = new AtomicLong();

	private volatile Watchdog.@Nullable Watch head;

	private volatile Watchdog.@Nullable Watch body;

	private boolean held;

	private boolean resent;

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
	 * The exchange goes to an address, after one to an upstream that a circuit breaker
	 * has ended.
	 */
	static void forget(ServerWebExchange exchange) {
		exchange.getAttributes().remove(ATTRIBUTE);
	}

	/**
	 * The watch over an exchange that is on its way to the upstream once more, or
	 * {@code null} if it is not.
	 */
	static @Nullable ResponseWatch takeResent(ServerWebExchange exchange) {
		ResponseWatch watch = of(exchange);
		if (watch == null || !watch.resent) {
			return null;
		}
		watch.resent = false;
		return watch;
	}

	UpstreamCall call() {
		return this.call;
	}

	/**
	 * Until the response begins.
	 */
	Mono<Void> over(Mono<Void> attempt) {
		return new Attempt(attempt, this);
	}

	/**
	 * The request is about to be sent. A session of a web socket has no moment at which
	 * its response begins.
	 * @param expiry what to do once when the response does not begin in time
	 */
	void beginAttempt(Runnable expiry) {
		boolean unlimited = this.call.timeouts().response().isZero()
				|| "websocket".equalsIgnoreCase(this.exchange.getRequest().getHeaders().getUpgrade());
		if (!unlimited) {
			this.head = this.watchdog.watch(expiry);
			awaitResponse();
		}
	}

	/**
	 * It is the upstream's turn. Nothing is waited for any more once the response has
	 * begun.
	 */
	void awaitResponse() {
		Watchdog.Watch watch = this.head;
		if (watch != null) {
			watch.await(this.call.timeouts().response());
		}
	}

	/**
	 * It is the client's turn to send.
	 */
	void awaitRequest() {
		Watchdog.Watch watch = this.head;
		if (watch != null) {
			watch.await(Duration.ZERO);
		}
	}

	/**
	 * The response has begun, or never will.
	 */
	void endAttempt() {
		close(this.head);
	}

	/**
	 * The response is there.
	 * @return whether to drop it and to make another attempt
	 */
	boolean responded() {
		HttpStatusCode status = this.exchange.getResponse().getStatusCode();
		return this.call.responded((status != null) ? status.value() : 0);
	}

	/**
	 * Nobody reads the response if it has begun.
	 */
	void drop() {
		Connection connection = this.exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR);
		if (connection != null) {
			connection.dispose();
		}
	}

	/**
	 * The beginning of the body waits for its end.
	 */
	void hold() {
		this.held = true;
	}

	/**
	 * The response has failed.
	 * @return whether the exchange is to pass the filters once more, as the response
	 * broke off before anything of it left
	 */
	boolean resend() {
		if (!this.held || this.exchange.getResponse().isCommitted() || !this.call.resend()) {
			return false;
		}
		this.held = false;
		this.resent = true;
		this.demand.set(0);
		return true;
	}

	@Override
	public void begins() {
		ExchangeConnection connection = ExchangeConnection.of(this.exchange);
		this.body = (connection != null && !this.call.timeouts().betweenBytes().isZero())
				? this.watchdog.watch(connection::breakOff) : null;
	}

	@Override
	public void requested(long count) {
		if (this.demand.getAndAccumulate(count, Operators::addCap) == 0) {
			awaitBytes();
		}
	}

	@Override
	public void arrived() {
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
		Watchdog.Watch watch = this.body;
		if (watch != null) {
			watch.arrived();
		}
	}

	private void awaitBytes() {
		Watchdog.Watch watch = this.body;
		if (watch != null) {
			watch.await(this.call.timeouts().betweenBytes());
		}
	}

	/**
	 * A body that lasts until the connection ends seems to be whole when the watch ends
	 * it.
	 */
	@Override
	public @Nullable Throwable whatIsMissing() {
		Watchdog.Watch watch = this.body;
		return (watch != null && watch.isExpired()) ? new UpstreamException(UpstreamFailure.BODY_TIMEOUT, null) : null;
	}

	@Override
	public void completed() {
		close(this.body);
		this.call.completed();
	}

	@Override
	public Throwable broke(Throwable error) {
		UpstreamException broken = broken(error);
		close(this.body);
		this.call.broken(broken.failure());
		return broken;
	}

	private UpstreamException broken(Throwable error) {
		Watchdog.Watch watch = this.body;
		if (watch != null && watch.isExpired()) {
			return new UpstreamException(UpstreamFailure.BODY_TIMEOUT, error);
		}
		return UpstreamException.broken(error);
	}

	@Override
	public void cancelled() {
		close(this.body);
	}

	private static void close(Watchdog.@Nullable Watch watch) {
		if (watch != null) {
			watch.close();
		}
	}

}
