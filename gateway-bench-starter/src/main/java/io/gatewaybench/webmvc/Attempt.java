package io.gatewaybench.webmvc;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.gatewaybench.internal.upstream.Abortable;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * One attempt to get a response from an instance, and the thread that waits for it. A
 * thread that waits for too long is interrupted, which every client heeds in some way,
 * and its request is cancelled.
 */
final class Attempt implements Abortable {

	private static final ThreadLocal<@Nullable Attempt> OF_THREAD = new ThreadLocal<>();

	private static final int MOMENT_MILLIS = 20;

	private final HttpHeaders headers;

	private final Executor executor;

	private final boolean anew;

	private volatile @Nullable Runnable cancellation;

	private volatile @Nullable CompletableFuture<@Nullable Void> sending;

	private @Nullable Attempt previous;

	private @Nullable Thread waiting;

	private boolean aborted;

	private @Nullable ServerResponse response;

	private @Nullable AcceptedWebSocket webSocket;

	private boolean over;

	private volatile @Nullable Map<String, String> trailers;

	/**
	 * Create the attempt.
	 * @param headers headers of the request to the instance
	 * @param executor runs what sends the body while the response comes
	 * @param anew whether to leave out connections that have been used before
	 */
	Attempt(HttpHeaders headers, Executor executor, boolean anew) {
		this.headers = headers;
		this.executor = executor;
		this.anew = anew;
	}

	/**
	 * The attempt that the current thread sends the request of, or {@code null} if it
	 * sends none. A client has no other way to know which request it sends.
	 */
	static @Nullable Attempt ofThread() {
		return OF_THREAD.get();
	}

	/**
	 * Send the body of a request in another thread. The current one is about to send the
	 * request, and can read the response meanwhile. The response to the client does not
	 * end before the body has ended.
	 * @param sending sends the body
	 * @return ends as that does
	 */
	static CompletableFuture<@Nullable Void> sendMeanwhile(Callable<?> sending) {
		return sendMeanwhile(ofThread(), sending);
	}

	private static CompletableFuture<@Nullable Void> sendMeanwhile(@Nullable Attempt attempt, Callable<?> sending) {
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		Runnable task = () -> {
			try {
				sending.call();
				sent.complete(null);
			}
			catch (Exception | Error ex) {
				sent.completeExceptionally(ex);
			}
		};
		if (attempt != null) {
			attempt.send(sent, task);
		}
		else {
			task.run();
		}
		return sent;
	}

	/**
	 * Tells how to cancel the request to an upstream that the current thread is about to
	 * send. It is cancelled, by another thread, when a timeout of the upstream strikes;
	 * needed only for a client that ignores the interruption of the thread.
	 * @param cancellation closes the connection, without waiting for anything
	 */
	static void cancelOnTimeout(Runnable cancellation) {
		Attempt attempt = ofThread();
		if (attempt != null) {
			attempt.cancelBy(cancellation);
		}
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
		synchronized (this) {
			this.over = true;
		}
		arrived();
	}

	/**
	 * Send the body of the request in another thread, for a client that asks for one. It
	 * may ask when the attempt has failed, and another one reads the body.
	 * @param task sends the body
	 */
	synchronized void sendMeanwhile(Runnable task) {
		if (!this.over) {
			sendMeanwhile(this, Executors.callable(task));
		}
	}

	/**
	 * The client of this attempt tells trailers.
	 */
	void mayHaveTrailers() {
		this.trailers = Map.of();
	}

	/**
	 * The response has ended with trailers, or without.
	 */
	void trailers(Map<String, String> trailers) {
		this.trailers = trailers;
	}

	/**
	 * The trailers of the response, {@code null} if they are left out.
	 */
	@Nullable Map<String, String> trailers() {
		return this.trailers;
	}

	/**
	 * The current thread begins to wait for the upstream.
	 */
	synchronized void await() {
		this.waiting = Thread.currentThread();
	}

	/**
	 * The current thread does not wait any more. The interruption by {@link #abort()}
	 * ends here, so that nothing else in the thread sees it.
	 */
	synchronized void arrived() {
		this.waiting = null;
		if (this.aborted) {
			this.aborted = false;
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
	 * Whether the request has to go through a new connection.
	 */
	boolean isAnew() {
		return this.anew;
	}

	/**
	 * Tells how to cancel the request, for a client that ignores an interruption.
	 */
	void cancelBy(Runnable cancellation) {
		this.cancellation = cancellation;
	}

	/**
	 * Another attempt came before, and its thread may still read from the client.
	 */
	void follow(@Nullable Attempt previous) {
		this.previous = (previous != null && previous.isSending()) ? previous : null;
	}

	/**
	 * Another thread sends the body.
	 * @param sent ends when the body is sent
	 * @param task sends it
	 */
	void send(CompletableFuture<@Nullable Void> sent, Runnable task) {
		this.executor.execute(task);
		// Without a thread for it, nobody would ever say that it is sent
		this.sending = sent;
	}

	/**
	 * Whether another thread still reads the body from the client.
	 */
	boolean isSending() {
		CompletableFuture<?> current = this.sending;
		return (current != null && !current.isDone()) || (this.previous != null && this.previous.isSending());
	}

	/**
	 * Whether the rest of the body could not be sent. The end of a connection that was
	 * reset may seem a proper one to the thread that reads, if another one writes. That
	 * one knows a moment later.
	 */
	boolean hasFailedToSend() {
		CompletableFuture<?> current = this.sending;
		if (current == null) {
			return false;
		}
		try {
			current.get(MOMENT_MILLIS, TimeUnit.MILLISECONDS);
			return false;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
		catch (ExecutionException ex) {
			return true;
		}
	}

	/**
	 * Wait until no other thread reads the body. It ends when the connection to the
	 * upstream is closed and the client sends more, or breaks off.
	 */
	void awaitSent() {
		CompletableFuture<?> current = this.sending;
		if (current != null) {
			current.exceptionally((failure) -> null).join();
		}
		if (this.previous != null) {
			this.previous.awaitSent();
		}
	}

	/**
	 * The instance has accepted a WebSocket.
	 */
	void accepted(AcceptedWebSocket webSocket) {
		this.webSocket = webSocket;
	}

	/**
	 * The WebSocket that the instance has accepted, or {@code null}.
	 */
	@Nullable AcceptedWebSocket webSocket() {
		return this.webSocket;
	}

	/**
	 * The response has begun, and then the exchange has returned it.
	 */
	void responded(ServerResponse response) {
		this.response = (this.response instanceof ProxiedResponse begun) ? begun.insteadOf(response) : response;
	}

	/**
	 * The response that has begun.
	 */
	ServerResponse response() {
		return Objects.requireNonNull(this.response);
	}

	/**
	 * A thread that does not wait is not interrupted: it may have something else to do by
	 * now.
	 */
	@Override
	public void abort() {
		synchronized (this) {
			Thread thread = this.waiting;
			if (thread != null) {
				this.aborted = true;
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
