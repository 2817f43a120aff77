package io.gatewaybench.webmvc;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * One attempt to get a response from an instance, and the thread that waits for it. A
 * thread that waits for too long is interrupted, which every client heeds in some way,
 * and its request is cancelled.
 */
final class UpstreamAttempt {

	private static final ThreadLocal<@Nullable UpstreamAttempt> OF_THREAD = new ThreadLocal<>();

	private final HttpHeaders headers;

	private final Runnable breakOff = this::breakOff;

	private volatile @Nullable Runnable cancellation;

	private @Nullable Thread waiting;

	private boolean brokenOff;

	/**
	 * Create the attempt.
	 * @param headers headers of the request to the instance
	 */
	UpstreamAttempt(HttpHeaders headers) {
		this.headers = headers;
	}

	/**
	 * The attempt that the current thread sends the request of, or {@code null} if it
	 * sends none. A client has no other way to know which request it sends.
	 */
	static @Nullable UpstreamAttempt ofThread() {
		return OF_THREAD.get();
	}

	/**
	 * The current thread sends the request, and waits for the response to begin.
	 */
	void send() {
		OF_THREAD.set(this);
		await();
	}

	/**
	 * The current thread has sent the request, or failed to.
	 */
	void sent() {
		OF_THREAD.remove();
		arrived();
	}

	/**
	 * The current thread begins to wait for the upstream.
	 */
	synchronized void await() {
		this.waiting = Thread.currentThread();
	}

	/**
	 * The current thread does not wait any more. The interruption by {@link #breakOff()}
	 * ends here, so that nothing else in the thread sees it.
	 */
	synchronized void arrived() {
		this.waiting = null;
		if (this.brokenOff) {
			this.brokenOff = false;
			Thread.interrupted();
		}
	}

	/**
	 * Headers of the request to the instance.
	 */
	HttpHeaders headers() {
		return this.headers;
	}

	/**
	 * Tells how to cancel the request, for a client that does not heed an interruption.
	 */
	void cancelBy(Runnable cancellation) {
		this.cancellation = cancellation;
	}

	/**
	 * What ends the attempt, for another thread to call.
	 */
	Runnable breaker() {
		return this.breakOff;
	}

	/**
	 * End the attempt. A thread that does not wait is not interrupted: it may have
	 * something else to do by now.
	 */
	void breakOff() {
		synchronized (this) {
			Thread thread = this.waiting;
			if (thread != null) {
				this.brokenOff = true;
				thread.interrupt();
			}
		}
		cancel();
	}

	/**
	 * Close the connection to the upstream, without an interruption.
	 */
	void cancel() {
		Runnable current = this.cancellation;
		if (current != null) {
			current.run();
		}
	}

}
