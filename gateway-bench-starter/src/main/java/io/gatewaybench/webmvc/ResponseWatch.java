package io.gatewaybench.webmvc;

import java.time.Duration;

import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Watchdog;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Watches over the response of an upstream, from the attempt to the last byte: how long
 * it takes, and how it ends. A thread that waits for too long is interrupted, which every
 * client heeds in some way.
 */
final class ResponseWatch {

	private static final String ATTRIBUTE = ResponseWatch.class.getName();

	private static final Duration REST = Duration.ofMillis(100);

	private static final ThreadLocal<@Nullable ResponseWatch> OF_THREAD = new ThreadLocal<>();

	private final UpstreamTimeouts timeouts;

	private final @Nullable UpstreamCall call;

	private final Watchdog.Watch watch;

	private volatile @Nullable Thread waiting;

	private volatile @Nullable Runnable cancellation;

	private volatile boolean handedOver;

	private volatile boolean closed;

	private boolean begun;

	private ResponseWatch(UpstreamTimeouts timeouts, @Nullable UpstreamCall call, Watchdog watchdog) {
		this.timeouts = timeouts;
		this.call = call;
		this.watch = watchdog.watch(this::expire);
	}

	/**
	 * Begin to watch over a request, in place of the watch that it has.
	 * @param request the request of the client
	 * @param timeouts how long to wait
	 * @param call the request to an upstream, or {@code null} if it goes to an address
	 * @param watchdog what looks at the watches
	 * @return the watch, to be closed
	 */
	static ResponseWatch begin(HttpServletRequest request, UpstreamTimeouts timeouts, @Nullable UpstreamCall call,
			Watchdog watchdog) {
		ResponseWatch previous = of(request);
		if (previous != null) {
			previous.close();
		}
		ResponseWatch watch = new ResponseWatch(timeouts, call, watchdog);
		request.setAttribute(ATTRIBUTE, watch);
		return watch;
	}

	/**
	 * Nothing is waited for any more on behalf of a request.
	 */
	static void close(HttpServletRequest request) {
		ResponseWatch watch = of(request);
		if (watch != null) {
			watch.close();
			request.removeAttribute(ATTRIBUTE);
		}
	}

	/**
	 * The watch over the exchange, or {@code null} if none is needed.
	 */
	static @Nullable ResponseWatch of(HttpServletRequest request) {
		return (ResponseWatch) request.getAttribute(ATTRIBUTE);
	}

	private void expire() {
		Thread thread = this.waiting;
		if (thread != null) {
			thread.interrupt();
		}
		cancel();
	}

	/**
	 * Tells how to cancel the request that the current thread is about to send, for a
	 * client that does not heed an interruption.
	 */
	static void cancelBy(Runnable cancellation) {
		ResponseWatch watch = OF_THREAD.get();
		if (watch != null) {
			watch.cancellation = cancellation;
		}
	}

	/**
	 * The current thread sends no request any more.
	 */
	static void forget() {
		OF_THREAD.remove();
	}

	/**
	 * The current thread begins to wait for the response to begin.
	 */
	void awaitResponse() {
		OF_THREAD.set(this);
		this.waiting = Thread.currentThread();
		this.watch.await(this.timeouts.response());
	}

	/**
	 * It is the client's turn to send a piece of the request's body.
	 */
	void awaitRequest() {
		awaitUnlessBegun(Duration.ZERO);
	}

	/**
	 * The client has sent a piece of the request's body, which cannot be sent again. Now
	 * it is the upstream's turn.
	 */
	void requestRead() {
		if (this.call != null) {
			this.call.bodyRead();
		}
		awaitUnlessBegun(this.timeouts.response());
	}

	/**
	 * Some clients send the rest of a request in another thread while this one passes on
	 * the response, whose time is not to be mistaken for that of the request.
	 */
	private synchronized void awaitUnlessBegun(Duration timeout) {
		if (!this.begun) {
			this.watch.await(timeout);
		}
	}

	/**
	 * The client did not send its request to the end. The connection to the upstream is
	 * closed first, as what sends the body would end it as if it were complete.
	 */
	void clientFailed() {
		if (this.call != null) {
			this.call.clientFailed();
		}
		cancel();
	}

	/**
	 * The response has begun, or never will.
	 * @return whether that was in time
	 */
	boolean begun() {
		synchronized (this) {
			this.begun = true;
		}
		return arrived();
	}

	/**
	 * The thread begins to wait for a piece of the response's body.
	 */
	void awaitBytes() {
		this.waiting = Thread.currentThread();
		this.watch.await(this.timeouts.betweenBytes());
	}

	/**
	 * The thread begins to wait for the rest of a body that nobody wants, which is worth
	 * no more time than another connection.
	 */
	void awaitRest() {
		this.waiting = Thread.currentThread();
		this.watch.await(REST);
	}

	/**
	 * The thread does not wait any more. The interruption of a timeout ends here, so that
	 * nothing else in the thread sees it.
	 * @return whether there was no timeout
	 */
	boolean arrived() {
		if (this.watch.arrived()) {
			return true;
		}
		Thread.interrupted();
		return false;
	}

	/**
	 * The body has ended.
	 */
	void completed() {
		if (this.call != null) {
			this.call.completed();
		}
	}

	/**
	 * The body broke off.
	 */
	UpstreamException broken(Throwable error) {
		UpstreamException exception = this.watch.isExpired()
				? new UpstreamException(UpstreamFailure.BODY_TIMEOUT, error) : UpstreamException.broken(error);
		if (this.call != null && !isGivenUp()) {
			this.call.broken(exception.failure());
		}
		return exception;
	}

	/**
	 * The thread that sends the request has passed the response on.
	 * @return whether it is wanted
	 */
	boolean handOver() {
		this.handedOver = true;
		return !this.closed;
	}

	/**
	 * Whether the response is not wanted any more although it has not come. A circuit
	 * breaker sends the request in a thread of its own, interrupts it after its own
	 * timeout, and goes on with the request of the client in another thread.
	 */
	boolean isGivenUp() {
		return this.closed || Thread.currentThread().isInterrupted();
	}

	/**
	 * Nothing is waited for any more. A thread that still does would wait for a response
	 * that has no client.
	 */
	void close() {
		this.closed = true;
		this.watch.close();
		if (!this.handedOver && !this.watch.expire()) {
			cancel();
		}
	}

	private void cancel() {
		Runnable cancellation = this.cancellation;
		if (cancellation != null) {
			cancellation.run();
		}
	}

}
