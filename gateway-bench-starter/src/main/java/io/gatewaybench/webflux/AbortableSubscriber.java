package io.gatewaybench.webflux;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import reactor.core.CoreSubscriber;

/**
 * Ends once: with its source, or before its source when it is aborted from outside.
 */
abstract class AbortableSubscriber extends ForwardingSubscriber<Void, Void> {

	private static final AtomicIntegerFieldUpdater<AbortableSubscriber> ENDED = AtomicIntegerFieldUpdater
		.newUpdater(AbortableSubscriber.class, "ended");

	private volatile int ended;

	AbortableSubscriber(CoreSubscriber<? super Void> downstream) {
		super(downstream);
	}

	/**
	 * End it from outside.
	 */
	final void breakOff(Throwable error) {
		if (end()) {
			leave();
			this.downstream.onError(error);
		}
	}

	/**
	 * Only the first caller ends it.
	 */
	boolean end() {
		return ENDED.compareAndSet(this, 0, 1);
	}

	final boolean hasEnded() {
		return this.ended != 0;
	}

	/**
	 * It ends before its source, which is not needed any more.
	 */
	void leave() {
		super.cancel();
	}

	@Override
	public final void onNext(Void nothing) {
	}

	@Override
	public void onComplete() {
		if (end()) {
			super.onComplete();
		}
	}

	@Override
	public final void onError(Throwable error) {
		// What fails after the end does so because of it, and is no news
		if (end()) {
			super.onError(error);
		}
	}

	@Override
	public final void cancel() {
		if (end()) {
			leave();
		}
	}

}
