package io.gatewaybench.webmvc;

import java.nio.ByteBuffer;

import io.gatewaybench.internal.rewrite.ChunkType;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of a body on the heap.
 */
final class ByteBufferChunks implements ChunkType<ByteBuffer> {

	static final ByteBufferChunks INSTANCE = new ByteBufferChunks();

	private ByteBufferChunks() {
	}

	@Override
	public int length(ByteBuffer chunk) {
		return chunk.remaining();
	}

	@Override
	public ByteBuffer view(ByteBuffer chunk) {
		return chunk.duplicate();
	}

	@Override
	public ByteBuffer split(ByteBuffer chunk, int length) {
		ByteBuffer first = chunk.duplicate().limit(chunk.position() + length);
		chunk.position(chunk.position() + length);
		return first;
	}

	/**
	 * One after the other has been read into the same array.
	 */
	@Override
	public @Nullable ByteBuffer join(ByteBuffer last, ByteBuffer chunk) {
		boolean adjacent = last.array() == chunk.array()
				&& last.arrayOffset() + last.limit() == chunk.arrayOffset() + chunk.position();
		return adjacent ? last.limit(last.limit() + chunk.remaining()) : null;
	}

	@Override
	public void release(ByteBuffer chunk) {
		// The garbage collector does it
	}

	@Override
	public ByteBuffer wrap(byte[] bytes) {
		return ByteBuffer.wrap(bytes);
	}

}
