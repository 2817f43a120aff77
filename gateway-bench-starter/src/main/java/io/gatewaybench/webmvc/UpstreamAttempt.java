package io.gatewaybench.webmvc;

import java.time.Duration;
import java.util.Objects;

import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Watchdog;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * One attempt to get a response from an instance, from the request to the last byte of
 * the response: how long it may take, and how it ends. A thread that waits for too long
 * is interrupted, which every client heeds in some way.
 */
final class UpstreamAttempt {

	private static final Duration REST = Duration.ofMillis(100);

	private static final ThreadLocal<@Nullable UpstreamAttempt> OF_THREAD = new ThreadLocal<>();

	private final HttpHeaders headers;

	private final UpstreamTimeouts timeouts;

	private final @Nullable UpstreamCall call;

	private final Watchdog.Deadline watch;

	private volatile @Nullable Thread waiting;

	private volatile @Nullable Runnable cancellation;

	private volatile boolean handedOver;

	private volatile boolean closed;

	private @Nullable ServerResponse response;

	private boolean begun;

	UpstreamAttempt(HttpHeaders headers, UpstreamTimeouts timeouts, @Nullable UpstreamCall call, Watchdog watchdog) {
		this.headers = headers;
		this.timeouts = timeouts;
		this.call = call;
		this.watch = watchdog.deadline(this::expire);
	}

	private void expire() {
		Thread thread = this.waiting;
		if (thread != null) {
			thread.interrupt();
		}
		cancel();
	}

	/**
	 * The attempt that the current thread sends the request of, or {@code null} if it
	 * sends none. A client has no other way to know which request it sends.
	 */
	static @Nullable UpstreamAttempt ofThread() {
		return OF_THREAD.get();
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
	 * The current thread sends the request, and waits for the response to begin.
	 */
	void send() {
		OF_THREAD.set(this);
		this.waiting = Thread.currentThread();
		this.watch.await(this.timeouts.response());
	}

	/**
	 * The current thread has sent the request, or failed to.
	 */
	static void sent() {
		OF_THREAD.remove();
	}

	/**
	 * The response has come, and it is the one that the client is to get.
	 */
	void responded(ServerResponse response) {
		this.response = response;
	}

	ServerResponse response() {
		return Objects.requireNonNull(this.response);
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
	 */
	void handOver() {
		this.handedOver = true;
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
