package io.gatewaybench.webflux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.gatewaybench.internal.exchange.ExchangeDeadline;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.UpstreamWait;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.upstream.Abortable;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.netty.channel.AbortedException;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Request whose body is on its way to the upstream: how long the client takes for it is
 * not the upstream's fault, and what has been read cannot be sent again. A body that
 * breaks off or pauses for too long ends the exchange and the connection to the upstream.
 * The client of the upstream does not hear of it: it would take it for a failure of the
 * upstream, or for the end of the body.
 */
final class RequestWithBody extends ServerHttpRequestDecorator implements Abortable {

	/**
	 * The most that Reactor Netty may collect of a body. It has no limit itself, so one
	 * client could take all memory.
	 */
	static final int MOST_COLLECTED = 1024 * 1024;

	private static final List<HttpMethod> COLLECTED = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE);

	private final ServerWebExchange exchange;

	private final GatewayExchange state;

	private volatile @Nullable Exchange current;

	private volatile @Nullable Pieces pieces;

	private volatile byte @Nullable [] ahead;

	/**
	 * Watch over the body of a request.
	 * @param exchange the exchange
	 * @param state its state
	 */
	RequestWithBody(ServerWebExchange exchange, GatewayExchange state) {
		super(exchange.getRequest());
		this.exchange = exchange;
		this.state = state;
	}

	/**
	 * A body has a length or a coding (RFC 9112, section 6.3). Reactor Netty gives a
	 * coding to a request of HTTP/2, too, if that has no length and does not end with its
	 * head.
	 */
	static boolean hasBody(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
	}

	/**
	 * Whether Reactor Netty collects the body before it sends it, as it does with some
	 * methods.
	 */
	static boolean isCollected(ServerHttpRequest request) {
		return COLLECTED.contains(request.getMethod());
	}

	/**
	 * Until the response begins, or the body breaks off. A short body is read before,
	 * unless the client is to be told first whether it is wanted.
	 */
	Mono<Void> over(Mono<Void> exchanged, RequestBodies bodies, Supplier<RequestBodies.Upload> upload) {
		long length = getHeaders().containsHeader(HttpHeaders.EXPECT) ? -1 : getHeaders().getContentLength();
		// What is taken has to be given back, so it begins with the subscription
		return Mono.defer(() -> {
			if (bodies.take(length)) {
				return over(readAhead((int) length).then(exchanged)).doFinally((signal) -> bodies.giveBack(length));
			}
			this.state.upstream().uploadBegins(upload.get());
			return over(exchanged);
		});
	}

	/**
	 * The pieces are copied, as each would keep more memory than it has bytes.
	 */
	private Mono<Void> readAhead(int length) {
		return new FluxOperator<DataBuffer, DataBuffer>(super.getBody()) {

			@Override
			public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
				RequestWithBody.this.state.deadline().requestCollected();
				this.source.subscribe(new LeftOnError(actual));
			}

		}.collect(() -> new ByteArrayOutputStream(length), this::keep)
			.onErrorMap((error) -> isBrokenOff(error) ? fail(ClientFailure.BROKEN_OFF) : error)
			.flatMap((body) -> {
				if (isCutOff()) {
					return Mono.error(fail(ClientFailure.BROKEN_OFF));
				}
				this.ahead = body.toByteArray();
				this.state.deadline().requestComplete();
				return Mono.empty();
			});
	}

	/**
	 * The body, if it has been read before.
	 */
	byte @Nullable [] held() {
		return this.ahead;
	}

	private void keep(ByteArrayOutputStream body, DataBuffer piece) {
		this.state.deadline().requestAwaited();
		byte[] bytes = new byte[piece.readableByteCount()];
		piece.read(bytes);
		DataBufferUtils.release(piece);
		body.writeBytes(bytes);
	}

	private ClientFailure fail(ClientFailure failure) {
		this.state.outcome().clientFailed();
		this.state.upstream().requestBroke();
		return failure;
	}

	private static boolean isBrokenOff(Throwable error) {
		return error instanceof AbortedException || error instanceof IOException;
	}

	/**
	 * The server completes a body whose rest it does not want, as after chunks that are
	 * none, or a response that is complete.
	 */
	private boolean isCutOff() {
		if (!(getNativeRequest(this) instanceof ChannelOperations<?, ?> server
				&& server instanceof HttpServerResponse response && response.hasSentHeaders())) {
			return false;
		}
		return isRefused() || (server.isInboundCancelled() && !server.isInboundDisposed());
	}

	/**
	 * Whether the server has answered by itself, as after chunks that are none.
	 */
	private boolean isRefused() {
		return getNativeRequest(this) instanceof HttpServerResponse response && response.hasSentHeaders()
				&& !this.exchange.getResponse().isCommitted();
	}

	/**
	 * Until the response begins, or the body breaks off. A failure of the upstream is of
	 * no interest to a client that the server has refused.
	 */
	Mono<Void> over(Mono<Void> exchanged) {
		return new MonoOperator<Void, Void>(exchanged) {

			@Override
			public void subscribe(CoreSubscriber<? super Void> actual) {
				Exchange current = new Exchange(actual);
				RequestWithBody.this.current = current;
				this.source.subscribe(current);
			}

		}.onErrorMap((error) -> isRefused() ? fail(ClientFailure.BROKEN_OFF) : error)
			.onErrorResume(ClientFailure.class, (error) -> refuse(this.exchange.getResponse(), error.status()));
	}

	/**
	 * Answers a client that is still there. Its connection closes, because the beginning
	 * of the next request is unknown.
	 */
	private static Mono<Void> refuse(ServerHttpResponse response, HttpStatus status) {
		if (response.setStatusCode(status)) {
			response.getHeaders().set(HttpHeaders.CONNECTION, "close");
		}
		return Mono.empty();
	}

	@Override
	public Flux<DataBuffer> getBody() {
		byte[] known = this.ahead;
		return new FluxOperator<>((known != null) ? Flux.just(this.exchange.getResponse().bufferFactory().wrap(known))
				: super.getBody()) {

			@Override
			public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
				Pieces pieces = new Pieces(actual);
				RequestWithBody.this.pieces = pieces;
				this.source.subscribe(pieces);
			}

		};
	}

	/**
	 * The client pauses for too long. In another thread, because all timeouts of the
	 * gateway share the timer's thread.
	 */
	@Override
	public void abort() {
		Schedulers.parallel().schedule(() -> {
			Pieces sent = this.pieces;
			Exchange awaited = this.current;
			if (sent != null) {
				sent.refuse(ClientFailure.TOO_SLOW);
			}
			else if (awaited != null) {
				awaited.breakOff(fail(ClientFailure.TOO_SLOW));
			}
		});
	}

	/**
	 * One subscription.
	 */
	private final class Pieces extends ForwardingSubscriber<DataBuffer, DataBuffer> {

		private final UpstreamWait waiting = RequestWithBody.this.state.upstream();

		private final ExchangeDeadline deadline = RequestWithBody.this.state.deadline();

		private final AtomicLong demand = new AtomicLong();

		private final boolean collected = isCollected(RequestWithBody.this);

		private int size;

		private volatile boolean cancelled;

		Pieces(CoreSubscriber<? super DataBuffer> downstream) {
			super(downstream);
		}

		@Override
		public void request(long count) {
			if (this.demand.getAndAccumulate(count, Operators::addCap) == 0) {
				this.deadline.requestAwaited();
			}
			super.request(count);
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			super.cancel();
		}

		@Override
		public void onNext(DataBuffer piece) {
			this.waiting.requestRead();
			if (this.demand.decrementAndGet() == 0) {
				this.deadline.responseAwaited();
			}
			// The upstream may have taken more meanwhile
			if (this.demand.get() > 0) {
				this.deadline.requestAwaited();
			}
			if (this.collected && isTooLarge(piece)) {
				DataBufferUtils.release(piece);
				return;
			}
			this.downstream.onNext(piece);
		}

		/**
		 * Pieces that were on their way when the first one was refused are too large as
		 * well.
		 */
		private boolean isTooLarge(DataBuffer piece) {
			if (this.size > MOST_COLLECTED) {
				return true;
			}
			this.size += piece.readableByteCount();
			if (this.size <= MOST_COLLECTED) {
				return false;
			}
			refuse(ClientFailure.TOO_LARGE);
			return true;
		}

		/**
		 * The rest of the body is of no use.
		 */
		private void refuse(ClientFailure failure) {
			super.cancel();
			clientFailed(failure);
		}

		@Override
		public void onComplete() {
			if (isCutOff()) {
				clientFailed(ClientFailure.BROKEN_OFF);
			}
			else {
				this.waiting.uploadEnded();
				this.deadline.responseAwaited();
				super.onComplete();
			}
		}

		@Override
		public void onError(Throwable error) {
			if (isBrokenOff(error)) {
				clientFailed(ClientFailure.BROKEN_OFF);
			}
			else {
				breakOff(error);
			}
		}

		private void clientFailed(ClientFailure failure) {
			RequestWithBody.this.state.outcome().clientFailed();
			breakOff(failure);
		}

		private void breakOff(Throwable error) {
			this.waiting.requestBroke();
			Exchange current = RequestWithBody.this.current;
			if (current != null) {
				current.breakOff(error);
			}
			Attempt.afterLeaving(currentContext(), () -> tell(error));
		}

		/**
		 * Not told, Reactor Netty's client would keep what it has collected of the body.
		 * Told before its connection is closed, it would log the error as its own. One
		 * that has cancelled the body needs no error.
		 */
		private void tell(Throwable error) {
			if (!this.cancelled) {
				super.onError(error);
			}
		}

	}

	/**
	 * Reactor Netty tells of a failure once more at the end of the response, unless the
	 * body has been cancelled. Reactor logs it then as an error that nobody hears of.
	 */
	private static final class LeftOnError extends ForwardingSubscriber<DataBuffer, DataBuffer> {

		LeftOnError(CoreSubscriber<? super DataBuffer> downstream) {
			super(downstream);
		}

		@Override
		public void onNext(DataBuffer piece) {
			this.downstream.onNext(piece);
		}

		@Override
		public void onError(Throwable error) {
			cancel();
			super.onError(error);
		}

	}

	/**
	 * The exchange with the upstream, which ends at once when the client fails.
	 */
	private static final class Exchange extends AbortableSubscriber {

		Exchange(CoreSubscriber<? super Void> downstream) {
			super(downstream);
		}

	}

}
