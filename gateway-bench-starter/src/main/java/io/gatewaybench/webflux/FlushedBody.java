package io.gatewaybench.webflux;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * A body that is flushed piece by piece. The server asks for some pieces in advance. When
 * the client leaves or the upstream breaks off, the server forgets the pieces that it has
 * not begun to write. This class releases their buffers. The gateway alone leaks them
 * when two threads serve the connections of client and upstream (Spring Cloud Gateway
 * 5.0.2, Reactor Netty 1.3.6).
 */
final class FlushedBody implements Publisher<Publisher<? extends DataBuffer>> {

	private final Publisher<? extends Publisher<? extends DataBuffer>> source;

	private volatile @Nullable Pieces pieces;

	/**
	 * Create the body.
	 * @param source the pieces; those that have their buffer in hand, as the gateway's
	 * do, are released, others hold nothing before somebody subscribes to them
	 */
	FlushedBody(Publisher<? extends Publisher<? extends DataBuffer>> source) {
		this.source = source;
	}

	@Override
	public void subscribe(Subscriber<? super Publisher<? extends DataBuffer>> server) {
		Pieces pieces = new Pieces(Operators.toCoreSubscriber(server));
		this.pieces = pieces;
		this.source.subscribe(pieces);
	}

	/**
	 * The server has done what it could with the body. It does not cancel one that it did
	 * not begin with, as the client had left by then.
	 */
	void abandon() {
		Pieces pieces = this.pieces;
		if (pieces != null) {
			pieces.abandon();
		}
	}

	/**
	 * One subscription. Upstream and client may be served by two threads.
	 */
	private static final class Pieces
			extends ForwardingSubscriber<Publisher<? extends DataBuffer>, Publisher<? extends DataBuffer>> {

		private final Queue<Piece> waiting = new ConcurrentLinkedQueue<>();

		private volatile boolean abandoned;

		Pieces(CoreSubscriber<? super Publisher<? extends DataBuffer>> server) {
			super(server);
		}

		@Override
		public void onNext(Publisher<? extends DataBuffer> source) {
			if (!(source instanceof Fuseable.ScalarCallable<?>)) {
				this.downstream.onNext(source);
				return;
			}
			Piece piece = new Piece(source, this.waiting);
			this.waiting.add(piece);
			if (this.abandoned) {
				releaseWaiting();
			}
			this.downstream.onNext(piece);
		}

		@Override
		public void onError(Throwable error) {
			super.onError(error);
			releaseWaiting();
		}

		@Override
		public void cancel() {
			super.cancel();
			abandon();
		}

		void abandon() {
			this.abandoned = true;
			releaseWaiting();
		}

		private void releaseWaiting() {
			for (Piece piece = this.waiting.poll(); piece != null; piece = this.waiting.poll()) {
				piece.release();
			}
		}

	}

	/**
	 * A piece and its buffer. Either the server takes the buffer, or it is released.
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
			this.source.subscribe(new Delivery(server, this));
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
	 * The buffer of a piece on its way to the server.
	 */
	private static final class Delivery extends ForwardingSubscriber<DataBuffer, DataBuffer> {

		private final Piece piece;

		Delivery(CoreSubscriber<? super DataBuffer> server, Piece piece) {
			super(server);
			this.piece = piece;
		}

		@Override
		public void onNext(DataBuffer buffer) {
			if (this.piece.take()) {
				this.downstream.onNext(buffer);
			}
		}

		@Override
		public void cancel() {
			super.cancel();
			this.piece.release();
		}

	}

}
