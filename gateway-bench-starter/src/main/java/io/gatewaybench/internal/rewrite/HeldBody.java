package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * One body on its way: holds its chunks for as long as the engine is undecided about them
 * and applies the edits without copying.
 * <p>
 * An adapter calls {@link #add} for every chunk that comes and {@link #end()} after the
 * last one, and after each of these calls takes out of {@link #poll()} what may leave.
 * Before the first chunk leaves, {@link RewriteRules#adjust} makes the headers true. If
 * the body doesn't come to its end, whatever the reason, the adapter calls
 * {@link #release()} instead of {@link #end()} and breaks the transfer off. Not
 * thread-safe.
 *
 * @param <C> the type of the chunks
 */
public final class HeldBody<C> {

	/** How much memory a body of unknown length takes at once. */
	private static final int STEP = 16 * 1024;

	private final RewriteSession session;

	private final ChunkType<C> type;

	private final ArrayDeque<C> undecided = new ArrayDeque<>(4);

	private final ArrayDeque<C> ready = new ArrayDeque<>(4);

	private final Edits edits = new ChunkEdits();

	private final HeldMemory memory;

	private final boolean whole;

	private final AtomicLong taken = new AtomicLong();

	private volatile boolean givenBack;

	private long undecidedLength;

	private boolean streamed;

	private long decidedLength;

	private long exactLength = -1;

	private boolean started;

	private boolean ended;

	private boolean released;

	/**
	 * Create a body.
	 * @param session decides about it
	 * @param type what to know about its chunks
	 * @param memory where it is held
	 * @param length its length if it may be held to its end, or 0
	 */
	HeldBody(RewriteSession session, ChunkType<C> type, HeldMemory memory, long length) {
		this.session = session;
		this.type = type;
		this.memory = memory;
		this.whole = length > 0 && take(length);
		if (length > 0 && !this.whole) {
			stream();
		}
	}

	/**
	 * Tells whether the body is held to its end, as its length says how much that is and
	 * there is room.
	 * @return {@code false} if it may begin to leave before
	 */
	public boolean isWhole() {
		return this.whole;
	}

	private boolean take(long bytes) {
		boolean room = this.memory.take(bytes);
		if (room) {
			this.taken.addAndGet(bytes);
			if (this.givenBack) {
				giveBack();
			}
		}
		return room;
	}

	/**
	 * Lets other bodies have the room that this one takes. Unlike all else here, any
	 * thread may call it, more than once: who gives up a body need not be who reads it.
	 */
	public void giveBack() {
		this.givenBack = true;
		this.memory.giveBack(this.taken.getAndSet(0));
	}

	private void stream() {
		this.streamed = true;
		this.session.stream(this.edits);
	}

	/**
	 * Takes the next chunk and owns it from here on, even if this fails. A chunk that
	 * comes after {@link #release()} is released at once.
	 * @param chunk the chunk, may be empty
	 * @throws IllegalStateException if the body has ended
	 */
	public void add(C chunk) {
		if (this.ended && !this.released) {
			this.type.release(chunk);
			throw new IllegalStateException("A chunk follows the end of the body");
		}
		int length = this.type.length(chunk);
		if (this.released || length == 0) {
			this.type.release(chunk);
		}
		else if (this.session.outcome() != null) {
			leave(chunk, length);
		}
		else {
			try {
				C last = hold(chunk, length);
				if (!this.streamed && this.undecidedLength > this.taken.get() && !take(Math.max(STEP, length))) {
					stream();
				}
				if (this.session.outcome() != null) {
					this.edits.keep(length);
					return;
				}
				ByteBuffer added = this.type.view(last);
				this.session.feed(added.position(added.limit() - length), this.edits);
			}
			catch (RuntimeException | Error ex) {
				release();
				throw ex;
			}
		}
	}

	/**
	 * An upstream may send a body byte by byte.
	 * @return the buffer that ends with the chunk
	 */
	private C hold(C chunk, int length) {
		this.undecidedLength += length;
		C joined = null;
		C last = this.undecided.pollLast();
		try {
			joined = (last != null) ? this.type.join(last, chunk) : null;
		}
		finally {
			if (joined == null) {
				if (last != null) {
					this.undecided.add(last);
				}
				joined = chunk;
			}
			this.undecided.add(joined);
		}
		return joined;
	}

	/**
	 * Takes the end of the body, after which everything that is held may leave. A second
	 * end, and one after {@link #release()}, is ignored.
	 */
	public void end() {
		if (this.ended || this.released) {
			return;
		}
		this.ended = true;
		try {
			if (this.session.outcome() == null) {
				this.session.finish(this.edits);
			}
			if (!this.undecided.isEmpty() || this.session.outcome() == null) {
				throw new IllegalStateException(
						this.session.getClass().getName() + " is undecided at the end of the body");
			}
		}
		catch (RuntimeException | Error ex) {
			release();
			throw ex;
		}
		giveBack();
		if (!this.started) {
			this.exactLength = this.decidedLength;
		}
	}

	/**
	 * Hands out the next chunk that may leave; the caller owns it from here on.
	 * @return the chunk, never empty, or {@code null} if there is none at the moment or,
	 * after {@link #end()}, at all
	 */
	public @Nullable C poll() {
		C chunk = this.ready.poll();
		if (chunk != null) {
			this.started = true;
		}
		return chunk;
	}

	/**
	 * Tells whether nothing more can become ready.
	 * @return {@code true} after {@link #end()} and after {@link #release()}
	 */
	public boolean isEnded() {
		return this.ended || this.released;
	}

	/**
	 * Returns the length of the body that leaves.
	 * @return all bytes, or -1 if the body has not ended or its first chunk had left
	 * before it ended
	 */
	public long exactLength() {
		return this.exactLength;
	}

	/**
	 * Returns what became of the body, as soon as that is certain.
	 * @return the outcome, or {@code null} while it is open
	 */
	public @Nullable RewriteOutcome outcome() {
		return this.session.outcome();
	}

	/**
	 * Releases every chunk that is still held, on whatever ends the transfer early; safe
	 * to call at any time and more than once.
	 */
	public void release() {
		this.released = true;
		releaseAll(this.ready);
		releaseAll(this.undecided);
		giveBack();
	}

	private void releaseAll(Queue<C> chunks) {
		for (C chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
			this.type.release(chunk);
		}
	}

	private void leave(C chunk, long length) {
		this.ready.add(chunk);
		this.decidedLength += length;
	}

	/**
	 * Takes the next bytes off the undecided chunks; divides the chunk they end in.
	 */
	private void decide(long bytes, boolean keep) {
		long left = bytes;
		while (left > 0) {
			C first = this.undecided.peek();
			if (first == null) {
				throw new IllegalStateException(
						this.session.getClass().getName() + " decided more bytes than it was fed");
			}
			int length = this.type.length(first);
			if (length > left) {
				first = this.type.split(first, (int) left);
				length = (int) left;
			}
			else {
				this.undecided.remove();
			}
			this.undecidedLength -= length;
			if (keep) {
				leave(first, length);
			}
			else {
				this.type.release(first);
			}
			left -= length;
		}
	}

	private final class ChunkEdits implements Edits {

		@Override
		public void keep(long bytes) {
			decide(bytes, true);
		}

		@Override
		public void drop(long bytes) {
			decide(bytes, false);
		}

		@Override
		public void insert(byte[] bytes) {
			if (bytes.length > 0) {
				leave(HeldBody.this.type.wrap(bytes), bytes.length);
			}
		}

	}

}
