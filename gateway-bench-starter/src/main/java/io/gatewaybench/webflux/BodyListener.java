package io.gatewaybench.webflux;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/**
 * Hears what happens to the body of a response. It is Reactor's {@code tap} without what
 * nobody here asks for, because every buffer of every body passes two of them.
 */
interface BodyListener {

	/**
	 * Somebody subscribes.
	 */
	default void begins() {
	}

	/**
	 * The client can take more.
	 * @param count how many buffers
	 */
	default void requested(long count) {
	}

	/**
	 * A buffer is about to leave.
	 */
	default void arrived() {
	}

	/**
	 * The body ends.
	 * @return what is wrong if it is not whole, or {@code null}
	 */
	default @Nullable Throwable whatIsMissing() {
		return null;
	}

	/**
	 * The last buffer has left.
	 */
	default void completed() {
	}

	/**
	 * The body breaks off.
	 * @param error why
	 * @return what to tell the client
	 */
	default Throwable broke(Throwable error) {
		return error;
	}

	/**
	 * The client does not want the rest.
	 */
	default void cancelled() {
	}

	/**
	 * Makes this listener hear of a body.
	 * @param body the body
	 * @return the same body, of at most one buffer if that had so
	 */
	default <T> Publisher<? extends T> listenTo(Publisher<? extends T> body) {
		if (body instanceof Mono<? extends T> mono) {
			return new MonoOperator<T, T>(mono) {

				@Override
				public void subscribe(CoreSubscriber<? super T> actual) {
					begins();
					this.source.subscribe(new Signals<>(actual, BodyListener.this));
				}

			};
		}
		return new FluxOperator<T, T>(Flux.from(body)) {

			@Override
			public void subscribe(CoreSubscriber<? super T> actual) {
				begins();
				this.source.subscribe(new Signals<>(actual, BodyListener.this));
			}

		};
	}

	/**
	 * One subscription.
	 *
	 * @param <T> the type of the buffers
	 */
	final class Signals<T> extends Relay<T, T> {

		private final BodyListener listener;

		private Signals(CoreSubscriber<? super T> actual, BodyListener listener) {
			super(actual);
			this.listener = listener;
		}

		@Override
		public void request(long count) {
			this.listener.requested(count);
			super.request(count);
		}

		@Override
		public void onNext(T buffer) {
			this.listener.arrived();
			this.downstream.onNext(buffer);
		}

		@Override
		public void onComplete() {
			Throwable missing = this.listener.whatIsMissing();
			if (missing != null) {
				onError(missing);
				return;
			}
			this.listener.completed();
			super.onComplete();
		}

		@Override
		public void onError(Throwable error) {
			super.onError(this.listener.broke(error));
		}

		@Override
		public void cancel() {
			this.listener.cancelled();
			super.cancel();
		}

	}

}
