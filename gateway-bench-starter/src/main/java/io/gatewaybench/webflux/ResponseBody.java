package io.gatewaybench.webflux;

import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.upstream.UpstreamException;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * A body on its way from the upstream to the client as it is. It reports what happens on
 * either side.
 *
 * @param <T> the type of the buffers, or of the pieces that are flushed one by one
 */
final class ResponseBody<T> extends ForwardingSubscriber<T, T> {

	private final ProxiedBody proxied;

	/** How many buffers the client is ready for. */
	private final AtomicLong demand = new AtomicLong();

	/** How many bytes are still to come, not positive if that is not known. */
	private long missing;

	private ResponseBody(CoreSubscriber<? super T> client, ProxiedBody proxied, long length) {
		super(client);
		this.proxied = proxied;
		this.missing = length;
	}

	/**
	 * Report what happens to a body.
	 * @param length its length, not positive if that is not known
	 * @return the same body, of at most one buffer if that had so
	 */
	static <T> Publisher<? extends T> of(Publisher<? extends T> body, ProxiedBody proxied, long length) {
		if (body instanceof Mono<? extends T> mono) {
			return new MonoOperator<T, T>(mono) {

				@Override
				public void subscribe(CoreSubscriber<? super T> client) {
					this.source.subscribe(new ResponseBody<>(client, proxied, length));
				}

			};
		}
		return new FluxOperator<T, T>(Flux.from(body)) {

			@Override
			public void subscribe(CoreSubscriber<? super T> client) {
				this.source.subscribe(new ResponseBody<>(client, proxied, length));
			}

		};
	}

	@Override
	public void request(long count) {
		if (this.demand.getAndAccumulate(count, Operators::addCap) == 0) {
			this.proxied.bytesAwaited();
		}
		super.request(count);
	}

	@Override
	public void onNext(T buffer) {
		if (this.demand.get() == Long.MAX_VALUE || this.demand.decrementAndGet() > 0) {
			this.proxied.bytesAwaited();
		}
		else {
			this.proxied.bytesArrived();
			// The client may have asked for more meanwhile
			if (this.demand.get() > 0) {
				this.proxied.bytesAwaited();
			}
		}
		if (this.missing > 0 && buffer instanceof DataBuffer bytes) {
			this.missing -= bytes.readableByteCount();
			if (this.missing == 0) {
				// The client may close as soon as it has them, before the upstream
				// completes
				this.proxied.delivered();
			}
		}
		this.downstream.onNext(buffer);
	}

	@Override
	public void onComplete() {
		UpstreamException missing = this.proxied.bodyEnded();
		if (missing != null) {
			super.onError(missing);
			return;
		}
		this.proxied.delivered();
		super.onComplete();
	}

	/**
	 * Spring would take a reset for a client that left, and end the response as if it
	 * were whole.
	 */
	@Override
	public void onError(Throwable error) {
		super.onError(this.proxied.bodyBroke(error));
	}

	@Override
	public void cancel() {
		this.proxied.clientLeft();
		this.proxied.bodyDropped();
		super.cancel();
	}

}
