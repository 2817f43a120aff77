package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * Puts the field between the bytes of a body without a copy of it.
 * <p>
 * The field goes before the brace that completes the object, after whatever white space
 * is there. If the object has the field already, however its key is spelled, the value is
 * replaced and every other byte stays; if it has it more than once, each value is
 * replaced, so that it doesn't matter which of them a reader takes.
 * <p>
 * A body up to the limit stays undecided to its end, so the result is all or nothing. A
 * longer one begins to leave with the byte after the limit, and then at most as many
 * bytes as the limit are withheld:
 * <ul>
 * <li>The brace that completes the object waits for the end of the body. If anything but
 * white space follows, or more white space than the limit, the body leaves as it
 * came.</li>
 * <li>A value of the field waits for its own end. If it is longer than the limit it
 * stays, and the field is added, unless another value of it is replaced.</li>
 * <li>If the object turns out broken, nested too deeply or incomplete, the rest leaves as
 * it came. Nothing is added, so it stays broken. A value that has been replaced by then
 * is the only thing different.</li>
 * </ul>
 * How a body is cut into chunks makes no difference to what leaves.
 */
final class SpliceSession implements RewriteSession {

	/** What is withheld where there is no room: a value of the field, or white space. */
	private static final int STREAMED_LIMIT = 1024;

	private final Insertion insertion;

	private final JsonWalker walker;

	private long limit;

	private long fed;

	private long decided;

	private boolean streaming;

	private boolean replaced;

	private @Nullable RewriteOutcome outcome;

	/**
	 * Create the session.
	 * @param field the key, all ASCII
	 * @param insertion what comes into the body
	 * @param limit how much may be withheld, in bytes
	 */
	SpliceSession(byte[] field, Insertion insertion, long limit) {
		this.insertion = insertion;
		this.limit = limit;
		this.walker = new JsonWalker(field);
	}

	@Override
	public void feed(ByteBuffer chunk, Edits edits) {
		int position = chunk.position();
		while (position < chunk.limit() && this.outcome == null) {
			int length = nextLength(chunk.limit() - position);
			this.walker.walk(chunk, position, length);
			position += length;
			this.fed += length;
			decide(edits);
		}
		if (this.outcome != null) {
			edits.keep(chunk.limit() - position);
		}
	}

	@Override
	public void stream(Edits edits) {
		this.limit = Math.min(this.limit, STREAMED_LIMIT);
		this.streaming = true;
		streamOn(edits);
	}

	@Override
	public void finish(Edits edits) {
		if (this.walker.isComplete()) {
			replaceValues(edits);
			if (!this.replaced) {
				addField(edits);
				return;
			}
		}
		leaveRest(edits);
	}

	@Override
	public @Nullable RewriteOutcome outcome() {
		return this.outcome;
	}

	/**
	 * Stops at the byte after the limit, so that what is decided there doesn't depend on
	 * the chunks.
	 */
	private int nextLength(int remaining) {
		long room = this.limit - this.fed;
		return (this.streaming || room >= remaining) ? remaining : (int) room + 1;
	}

	private void decide(Edits edits) {
		if (this.walker.isBroken()) {
			if (this.streaming) {
				replaceValues(edits);
			}
			leaveRest(edits);
		}
		else if (this.streaming || this.fed > this.limit) {
			this.streaming = true;
			streamOn(edits);
		}
	}

	private void streamOn(Edits edits) {
		replaceValues(edits);
		keepTo(firstUncertain(), edits);
		boolean settled = this.walker.isComplete() && (this.replaced || this.fed - this.decided > this.limit);
		if (settled) {
			leaveRest(edits);
		}
	}

	private long firstUncertain() {
		if (this.walker.isComplete()) {
			return this.walker.end();
		}
		FieldValues values = this.walker.values();
		return (values.isOpen() && isReplaceable(values.openStart(), this.fed)) ? values.openStart() : this.fed;
	}

	private void replaceValues(Edits edits) {
		FieldValues values = this.walker.values();
		for (int i = 0; i < values.count(); i++) {
			long start = values.start(i);
			long end = values.end(i);
			if (isReplaceable(start, end)) {
				keepTo(start, edits);
				edits.drop(end - start);
				edits.insert(this.insertion.value());
				this.decided = end;
				this.replaced = true;
			}
		}
		values.clear();
	}

	private boolean isReplaceable(long start, long end) {
		return end - start <= this.limit;
	}

	private void addField(Edits edits) {
		keepTo(this.walker.end(), edits);
		edits.insert(this.walker.isEmpty() ? this.insertion.firstMember() : this.insertion.furtherMember());
		keepTo(this.fed, edits);
		this.outcome = RewriteOutcome.ADDED;
	}

	private void leaveRest(Edits edits) {
		keepTo(this.fed, edits);
		this.outcome = this.replaced ? RewriteOutcome.REPLACED : RewriteOutcome.UNCHANGED;
	}

	private void keepTo(long position, Edits edits) {
		if (position > this.decided) {
			edits.keep(position - this.decided);
			this.decided = position;
		}
	}

}
