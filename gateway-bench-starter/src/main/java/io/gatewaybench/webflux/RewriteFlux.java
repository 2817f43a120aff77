package io.gatewaybench.webflux;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.upstream.UpstreamException;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * A body on its way through the rewriter. It asks the upstream for one buffer at a time
 * and only while the client wants more, and it releases every buffer that it holds when
 * either side breaks off.
 */
final class RewriteFlux extends FluxOperator<DataBuffer, DataBuffer> {

	private final ProxiedBody proxied;

	private final HeldBody<DataBuffer> body;

	private final Consumer<HeldBody<DataBuffer>> beforeFirst;

	private final Consumer<RewriteOutcome> afterLast;

	private volatile @Nullable Rewrite subscription;

	/**
	 * Create the flux.
	 * @param source body of the upstream
	 * @param proxied hears what happens
	 * @param body holds it, for one subscription
	 * @param beforeFirst called before the first buffer leaves, or before the end of a
	 * body without any
	 * @param afterLast called when the last buffer has left
	 */
	RewriteFlux(Flux<DataBuffer> source, ProxiedBody proxied, HeldBody<DataBuffer> body,
			Consumer<HeldBody<DataBuffer>> beforeFirst, Consumer<RewriteOutcome> afterLast) {
		super(source);
		this.proxied = proxied;
		this.body = body;
		this.beforeFirst = beforeFirst;
		this.afterLast = afterLast;
	}

	@Override
	public void subscribe(CoreSubscriber<? super DataBuffer> client) {
		Rewrite rewrite = new Rewrite(client, this.proxied, this.body, this.beforeFirst, this.afterLast);
		this.subscription = rewrite;
		this.source.subscribe(rewrite);
	}

	/**
	 * The server has done what it could with the body. It does not cancel one that it did
	 * not begin with, as the client had left by then.
	 */
	void abandon() {
		Rewrite rewrite = this.subscription;
		if (rewrite != null) {
			rewrite.abandon();
		}
	}

	/**
	 * One subscription. The held body is not thread-safe and the signals of the two sides
	 * may come from two event loops, so one thread at a time drains: the one that raises
	 * the count of pending signals from zero.
	 */
	private static final class Rewrite extends ForwardingSubscriber<DataBuffer, DataBuffer> {

		private final ProxiedBody proxied;

		private final HeldBody<DataBuffer> body;

		private final Consumer<HeldBody<DataBuffer>> beforeFirst;

		private final Consumer<RewriteOutcome> afterLast;

		private final Queue<DataBuffer> arrived = Queues.<DataBuffer>unbounded(8).get();

		private final AtomicInteger pending = new AtomicInteger();

		private final AtomicLong demand = new AtomicLong();

		private volatile boolean upstreamDone;

		private @Nullable UpstreamException failure;

		private volatile boolean cancelled;

		private @Nullable DataBuffer next;

		private boolean awaiting;

		private boolean begun;

		private boolean terminated;

		Rewrite(CoreSubscriber<? super DataBuffer> client, ProxiedBody proxied, HeldBody<DataBuffer> body,
				Consumer<HeldBody<DataBuffer>> beforeFirst, Consumer<RewriteOutcome> afterLast) {
			super(client);
			this.proxied = proxied;
			this.body = body;
			this.beforeFirst = beforeFirst;
			this.afterLast = afterLast;
		}

		@Override
		public void onNext(DataBuffer buffer) {
			this.proxied.bytesArrived();
			this.arrived.offer(buffer);
			drain();
		}

		@Override
		public void onError(Throwable error) {
			this.failure = this.proxied.bodyBroke(error);
			this.upstreamDone = true;
			drain();
		}

		@Override
		public void onComplete() {
			this.failure = this.proxied.bodyEnded();
			this.upstreamDone = true;
			drain();
		}

		@Override
		public void request(long count) {
			if (Operators.validate(count)) {
				this.demand.accumulateAndGet(count, Operators::addCap);
				drain();
			}
		}

		@Override
		public void cancel() {
			this.proxied.clientLeft();
			abandon();
		}

		void abandon() {
			synchronized (this) {
				this.cancelled = true;
			}
			if (!this.upstreamDone) {
				this.proxied.bodyDropped();
				this.upstream.cancel();
			}
			drain();
		}

		private void drain() {
			if (this.pending.getAndIncrement() != 0) {
				return;
			}
			int missed = 1;
			do {
				if (this.cancelled || this.terminated) {
					release();
				}
				else {
					try {
						step();
					}
					catch (RuntimeException | Error ex) {
						this.proxied.bodyDropped();
						this.upstream.cancel();
						fail(ex);
					}
				}
				missed = this.pending.addAndGet(-missed);
			}
			while (missed != 0);
		}

		private void step() {
			// Read before the queue: what the flag was raised after is then in the queue
			boolean done = this.upstreamDone;
			for (DataBuffer buffer = this.arrived.poll(); buffer != null; buffer = this.arrived.poll()) {
				this.awaiting = false;
				this.body.add(buffer);
			}
			if (done && !this.body.isEnded()) {
				if (this.failure != null) {
					fail(this.failure);
					return;
				}
				this.body.end();
			}
			emit();
		}

		private void emit() {
			while (peek() != null && this.demand.get() > 0) {
				begin();
				this.demand.accumulateAndGet(1, Operators::subOrZero);
				handOut();
				if (this.cancelled) {
					return;
				}
			}
			if (this.next != null) {
				return;
			}
			if (this.body.isEnded()) {
				complete();
			}
			else if (!this.awaiting && this.demand.get() > 0) {
				this.awaiting = true;
				this.proxied.bytesAwaited();
				this.upstream.request(1);
			}
		}

		/**
		 * The body can end with its last buffer, so there has to be a look ahead without
		 * demand.
		 */
		private @Nullable DataBuffer peek() {
			if (this.next == null) {
				this.next = this.body.poll();
			}
			return this.next;
		}

		/**
		 * Nobody cancels meanwhile: Spring keeps the first buffer until the server asks
		 * for it, releases that when it is cancelled, and then forgets one that comes.
		 */
		private synchronized void handOut() {
			if (!this.cancelled) {
				DataBuffer buffer = Objects.requireNonNull(this.next);
				this.next = null;
				this.downstream.onNext(buffer);
			}
		}

		private void begin() {
			if (!this.begun) {
				this.begun = true;
				this.beforeFirst.accept(this.body);
			}
		}

		private void complete() {
			begin();
			this.terminated = true;
			this.afterLast.accept(Objects.requireNonNull(this.body.outcome()));
			this.proxied.delivered();
			this.downstream.onComplete();
		}

		private void fail(Throwable error) {
			this.terminated = true;
			release();
			this.downstream.onError(error);
		}

		private void release() {
			this.body.release();
			if (this.next != null) {
				DataBufferUtils.release(this.next);
				this.next = null;
			}
			for (DataBuffer buffer = this.arrived.poll(); buffer != null; buffer = this.arrived.poll()) {
				DataBufferUtils.release(buffer);
			}
		}

	}

}
