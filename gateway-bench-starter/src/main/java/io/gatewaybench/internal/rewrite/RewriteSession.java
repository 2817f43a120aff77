package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * One body on its way through an engine.
 * <p>
 * Bytes may stay undecided for as long as the engine may hold them, and all are decided
 * when {@link #finish} returns. Not thread-safe.
 */
interface RewriteSession {

	/**
	 * Takes the next bytes; not called any more once there is an {@link #outcome()}.
	 * @param chunk the bytes from position to limit, valid during this call only
	 * @param edits receives the decisions that can be made now
	 */
	void feed(ByteBuffer chunk, Edits edits);

	/**
	 * Nothing more is to be held than has to be; not called when there is an
	 * {@link #outcome()} already.
	 * @param edits receives the decisions that can be made now
	 */
	void stream(Edits edits);

	/**
	 * Takes the end of the body; not called when there is an {@link #outcome()} already.
	 * @param edits receives the decisions about all bytes that are undecided
	 */
	void finish(Edits edits);

	/**
	 * Returns the outcome, from the moment on that it cannot change any more: every byte
	 * fed is decided then, and every byte to come is kept.
	 * @return the outcome, or {@code null} while it is open
	 */
	@Nullable RewriteOutcome outcome();

}
