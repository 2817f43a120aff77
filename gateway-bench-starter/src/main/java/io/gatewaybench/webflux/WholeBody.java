package io.gatewaybench.webflux;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.upstream.UpstreamException;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * A body that is held to its end anyway, as its length tells, on its way through the
 * rewriter. It leaves in one piece, which the server sends together with its head.
 */
final class WholeBody extends Mono<DataBuffer> {

	/** Up to this length a copy costs less than to compose and to send several pieces. */
	private static final int COPIED = 8 * 1024;

	private final Flux<DataBuffer> source;

	private final int length;

	private final ProxiedBody proxied;

	private final HeldBody<DataBuffer> body;

	private final Consumer<HeldBody<DataBuffer>> beforeFirst;

	private final Consumer<RewriteOutcome> afterLast;

	private final DataBufferFactory factory;

	/**
	 * Create the body.
	 * @param source body of the upstream
	 * @param length how much there is of it at most, in bytes
	 * @param proxied hears what happens
	 * @param body holds it, for one subscription
	 * @param beforeFirst called when the body is complete, before it leaves
	 * @param afterLast called after that
	 * @param factory makes one buffer of several
	 */
	WholeBody(Flux<DataBuffer> source, int length, ProxiedBody proxied, HeldBody<DataBuffer> body,
			Consumer<HeldBody<DataBuffer>> beforeFirst, Consumer<RewriteOutcome> afterLast, DataBufferFactory factory) {
		this.source = source;
		this.length = length;
		this.proxied = proxied;
		this.body = body;
		this.beforeFirst = beforeFirst;
		this.afterLast = afterLast;
		this.factory = factory;
	}

	@Override
	public void subscribe(CoreSubscriber<? super DataBuffer> client) {
		this.source.subscribe(new Rewrite(client, this.body));
	}

	private DataBuffer join(HeldBody<DataBuffer> body) {
		boolean changed = Objects.requireNonNull(body.outcome()).isChanged();
		return (changed && body.exactLength() <= COPIED) ? copy(body) : compose(body);
	}

	private DataBuffer copy(HeldBody<DataBuffer> body) {
		DataBuffer whole = this.factory.allocateBuffer((int) body.exactLength());
		for (DataBuffer piece = body.poll(); piece != null; piece = body.poll()) {
			whole.write(piece);
			DataBufferUtils.release(piece);
		}
		return whole;
	}

	private DataBuffer compose(HeldBody<DataBuffer> body) {
		List<DataBuffer> pieces = new ArrayList<>(4);
		for (DataBuffer piece = body.poll(); piece != null; piece = body.poll()) {
			pieces.add(isNative(piece) ? piece : copy(piece));
		}
		return pieces.isEmpty() ? this.factory.wrap(new byte[0]) : this.factory.join(pieces);
	}

	/**
	 * The gateway's buffers are native. A filter may bring buffers of another factory.
	 */
	private boolean isNative(DataBuffer piece) {
		return piece.factory().getClass() == this.factory.getClass();
	}

	private DataBuffer copy(DataBuffer piece) {
		DataBuffer copy = this.factory.allocateBuffer(piece.readableByteCount()).write(piece);
		DataBufferUtils.release(piece);
		return copy;
	}

	/**
	 * Who may touch what is held: the signals of the upstream come one after the other,
	 * but the client may leave in the middle of one.
	 */
	private enum Phase {

		WAITING, TAKING, ENDED

	}

	/**
	 * One subscription.
	 */
	private final class Rewrite extends ForwardingSubscriber<DataBuffer, DataBuffer> {

		private final HeldBody<DataBuffer> body;

		private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

		private long taken;

		Rewrite(CoreSubscriber<? super DataBuffer> client, HeldBody<DataBuffer> body) {
			super(client);
			this.body = body;
		}

		@Override
		public void request(long count) {
			if (Operators.validate(count)) {
				WholeBody.this.proxied.bytesAwaited();
				this.upstream.request(Long.MAX_VALUE);
			}
		}

		@Override
		public void onNext(DataBuffer buffer) {
			WholeBody.this.proxied.bytesAwaited();
			if (!begin()) {
				DataBufferUtils.release(buffer);
				return;
			}
			try {
				this.taken += buffer.readableByteCount();
				this.body.add(buffer);
				if (this.taken > WholeBody.this.length) {
					throw UpstreamException.broken(new DataBufferLimitException(
							"More than the %d bytes that were announced".formatted(WholeBody.this.length)));
				}
			}
			catch (RuntimeException | Error ex) {
				WholeBody.this.proxied.bodyDropped();
				this.upstream.cancel();
				fail(ex);
				return;
			}
			if (!this.phase.compareAndSet(Phase.TAKING, Phase.WAITING)) {
				this.body.release();
			}
		}

		@Override
		public void onError(Throwable error) {
			broke(WholeBody.this.proxied.bodyBroke(error));
		}

		private void broke(UpstreamException error) {
			if (begin()) {
				fail(error);
			}
			else {
				Operators.onErrorDropped(error, currentContext());
			}
		}

		@Override
		public void onComplete() {
			UpstreamException missing = WholeBody.this.proxied.bodyEnded();
			if (missing != null) {
				broke(missing);
				return;
			}
			if (!begin()) {
				return;
			}
			DataBuffer whole;
			try {
				this.body.end();
				WholeBody.this.beforeFirst.accept(this.body);
				whole = join(this.body);
				WholeBody.this.afterLast.accept(Objects.requireNonNull(this.body.outcome()));
			}
			catch (RuntimeException | Error ex) {
				fail(ex);
				return;
			}
			if (end()) {
				// The client may close as soon as it has them
				WholeBody.this.proxied.delivered();
				this.downstream.onNext(whole);
				this.downstream.onComplete();
			}
			else {
				DataBufferUtils.release(whole);
			}
		}

		@Override
		public void cancel() {
			WholeBody.this.proxied.clientLeft();
			WholeBody.this.proxied.bodyDropped();
			this.upstream.cancel();
			if (this.phase.getAndSet(Phase.ENDED) == Phase.WAITING) {
				this.body.release();
			}
		}

		private void fail(Throwable error) {
			this.body.release();
			if (end()) {
				this.downstream.onError(error);
			}
			else {
				Operators.onErrorDropped(error, currentContext());
			}
		}

		private boolean begin() {
			return this.phase.compareAndSet(Phase.WAITING, Phase.TAKING);
		}

		private boolean end() {
			return this.phase.compareAndSet(Phase.TAKING, Phase.ENDED);
		}

	}

}
