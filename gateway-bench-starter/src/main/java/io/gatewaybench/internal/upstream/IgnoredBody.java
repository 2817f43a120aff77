package io.gatewaybench.internal.upstream;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;

/**
 * Reads a body so that the connection can be used again. Gives the connection up when the
 * body is longer than a new connection is worth.
 */
public final class IgnoredBody implements BodySubscriber<@Nullable Void> {

	private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

	private final int limit;

	private Flow.@Nullable Subscription subscription;

	private long length;

	/**
	 * Ignore a body.
	 * @param limit how many bytes are read at most
	 */
	public IgnoredBody(int limit) {
		this.limit = limit;
	}

	@Override
	public CompletionStage<@Nullable Void> getBody() {
		return this.end;
	}

	@Override
	public void onSubscribe(Flow.Subscription subscription) {
		this.subscription = subscription;
		subscription.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(List<ByteBuffer> part) {
		this.length += part.stream().mapToInt(ByteBuffer::remaining).sum();
		if (this.length > this.limit && this.subscription != null) {
			this.subscription.cancel();
			onComplete();
		}
	}

	@Override
	public void onError(Throwable error) {
		this.end.completeExceptionally(error);
	}

	@Override
	public void onComplete() {
		this.end.complete(null);
	}

}
