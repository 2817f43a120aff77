package io.gatewaybench.webflux;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * A body that is flushed piece by piece. The server asks for some pieces in advance, and
 * when the client leaves or the upstream breaks off it forgets those that it has not
 * begun with, whose buffers nobody would release. A gateway by itself leaks them, where
 * the connections of client and upstream are served by two threads (Spring Cloud Gateway
 * 5.0.2, Reactor Netty 1.3.6).
 */
final class FlushedBody implements Publisher<Publisher<? extends DataBuffer>> {

	private final Publisher<? extends Publisher<? extends DataBuffer>> source;

	/**
	 * Create the body.
	 * @param source the pieces, each with its buffers in hand
	 */
	FlushedBody(Publisher<? extends Publisher<? extends DataBuffer>> source) {
		this.source = source;
	}

	@Override
	public void subscribe(Subscriber<? super Publisher<? extends DataBuffer>> server) {
		this.source.subscribe(new Pieces(Operators.toCoreSubscriber(server)));
	}

	/**
	 * One subscription. Upstream and client may be served by two threads.
	 */
	private static final class Pieces implements CoreSubscriber<Publisher<? extends DataBuffer>>, Subscription {

		private final CoreSubscriber<? super Publisher<? extends DataBuffer>> server;

		private final Queue<Piece> waiting = new ConcurrentLinkedQueue<>();

		private Subscription upstream = Operators.emptySubscription();

		private volatile boolean cancelled;

		Pieces(CoreSubscriber<? super Publisher<? extends DataBuffer>> server) {
			this.server = server;
		}

		@Override
		public Context currentContext() {
			return this.server.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.upstream = subscription;
			this.server.onSubscribe(this);
		}

		@Override
		public void request(long count) {
			this.upstream.request(count);
		}

		@Override
		public void onNext(Publisher<? extends DataBuffer> source) {
			Piece piece = new Piece(source, this.waiting);
			this.waiting.add(piece);
			if (this.cancelled) {
				releaseWaiting();
			}
			this.server.onNext(piece);
		}

		@Override
		public void onError(Throwable error) {
			this.server.onError(error);
			releaseWaiting();
		}

		@Override
		public void onComplete() {
			this.server.onComplete();
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			this.upstream.cancel();
			releaseWaiting();
		}

		private void releaseWaiting() {
			for (Piece piece = this.waiting.poll(); piece != null; piece = this.waiting.poll()) {
				piece.release();
			}
		}

	}

	/**
	 * A piece, which belongs to who comes first: the server with its first buffer, or its
	 * release. To release it is to subscribe to what is in hand.
	 */
	private static final class Piece extends Flux<DataBuffer> {

		private final Publisher<? extends DataBuffer> source;

		private final Queue<Piece> waiting;

		private final AtomicBoolean taken = new AtomicBoolean();

		Piece(Publisher<? extends DataBuffer> source, Queue<Piece> waiting) {
			this.source = source;
			this.waiting = waiting;
		}

		@Override
		public void subscribe(CoreSubscriber<? super DataBuffer> server) {
			this.source.subscribe(new Buffers(server, this));
		}

		boolean take() {
			boolean first = this.taken.compareAndSet(false, true);
			if (first) {
				this.waiting.remove(this);
			}
			return first;
		}

		void release() {
			if (take()) {
				Flux.from(this.source).subscribe(DataBufferUtils::release);
			}
		}

	}

	/**
	 * The buffers of a piece on their way to the server.
	 */
	private static final class Buffers implements CoreSubscriber<DataBuffer>, Subscription {

		private final CoreSubscriber<? super DataBuffer> server;

		private final Piece piece;

		private Subscription upstream = Operators.emptySubscription();

		private boolean taken;

		Buffers(CoreSubscriber<? super DataBuffer> server, Piece piece) {
			this.server = server;
			this.piece = piece;
		}

		@Override
		public Context currentContext() {
			return this.server.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.upstream = subscription;
			this.server.onSubscribe(this);
		}

		@Override
		public void request(long count) {
			this.upstream.request(count);
		}

		@Override
		public void onNext(DataBuffer buffer) {
			this.taken |= this.piece.take();
			if (this.taken) {
				this.server.onNext(buffer);
			}
		}

		@Override
		public void onError(Throwable error) {
			this.server.onError(error);
		}

		@Override
		public void onComplete() {
			this.server.onComplete();
		}

		@Override
		public void cancel() {
			this.upstream.cancel();
			this.piece.release();
		}

	}

}
