package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link HeldBody} has to know about the buffers of a stack.
 *
 * @param <C> the type of the buffers
 */
public interface ChunkType<C> {

	/**
	 * Returns how much there is to read.
	 * @param chunk a buffer
	 * @return its readable bytes
	 */
	int length(C chunk);

	/**
	 * Gives access to all readable bytes without consuming them.
	 * @param chunk a buffer
	 * @return the bytes from position to limit, read only until the chunk is released or
	 * leaves, and never written
	 */
	ByteBuffer view(C chunk);

	/**
	 * Divides a buffer in two that are released independently, without copying.
	 * @param chunk the buffer, which keeps what comes after the first part
	 * @param length the length of the first part, more than 0 and less than all
	 * @return the first part
	 */
	C split(C chunk, int length);

	/**
	 * Makes one buffer of two small ones, as each buffer costs more memory than its bytes
	 * then. Both stay as they are where that does not help.
	 * @param last the buffer before, which nobody has divided from another one that has
	 * left
	 * @param chunk the buffer after it
	 * @return a buffer with the bytes of both, which takes their place; {@code null} if
	 * they stay
	 */
	@Nullable C join(C last, C chunk);

	/**
	 * Gives the memory back.
	 * @param chunk a buffer that is not used any more
	 */
	void release(C chunk);

	/**
	 * Makes a buffer.
	 * @param bytes what to read from it, not changed afterwards, so it need not be copied
	 * @return a new buffer
	 */
	C wrap(byte[] bytes);

}
