package io.gatewaybench.webflux;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Stands between a subscriber and its source, and forwards what a subclass does not
 * handle.
 *
 * @param <I> what the source sends
 * @param <O> what the subscriber gets
 */
abstract class ForwardingSubscriber<I, O> implements CoreSubscriber<I>, Subscription {

	/** The subscriber, which may be served by another thread than the source. */
	protected final CoreSubscriber<? super O> downstream;

	/** The source, which does nothing before there is one. */
	protected Subscription upstream = Operators.emptySubscription();

	/** Operators before this one ask for it often, and would ask all those behind it. */
	private final Context context;

	ForwardingSubscriber(CoreSubscriber<? super O> downstream) {
		this.downstream = downstream;
		this.context = downstream.currentContext();
	}

	@Override
	public Context currentContext() {
		return this.context;
	}

	@Override
	public void onSubscribe(Subscription subscription) {
		this.upstream = subscription;
		this.downstream.onSubscribe(this);
	}

	@Override
	public void request(long count) {
		this.upstream.request(count);
	}

	@Override
	public void onError(Throwable error) {
		this.downstream.onError(error);
	}

	@Override
	public void onComplete() {
		this.downstream.onComplete();
	}

	@Override
	public void cancel() {
		this.upstream.cancel();
	}

}
