package io.gatewaybench.benchmarks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.internal.rewrite.ChunkType;
import org.jspecify.annotations.Nullable;

/**
 * Buffers without reference counts.
 */
final class Chunks implements ChunkType<ByteBuffer> {

	static final Chunks INSTANCE = new Chunks();

	/** What both gateways read at a time. */
	private static final int SIZE = 16 * 1024;

	private Chunks() {
	}

	/**
	 * Cuts a body into buffers.
	 */
	static ByteBuffer[] of(byte[] body, boolean direct) {
		List<ByteBuffer> chunks = new ArrayList<>();
		for (int start = 0; start < body.length; start += SIZE) {
			int length = Math.min(SIZE, body.length - start);
			ByteBuffer chunk = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
			chunks.add(chunk.put(body, start, length).flip());
		}
		return chunks.toArray(ByteBuffer[]::new);
	}

	@Override
	public int length(ByteBuffer chunk) {
		return chunk.remaining();
	}

	@Override
	public ByteBuffer view(ByteBuffer chunk) {
		// Spring's view of a Netty buffer is read-only
		return chunk.isDirect() ? chunk.asReadOnlyBuffer() : chunk.duplicate();
	}

	@Override
	public ByteBuffer split(ByteBuffer chunk, int length) {
		ByteBuffer first = chunk.slice(chunk.position(), length);
		chunk.position(chunk.position() + length);
		return first;
	}

	@Override
	public @Nullable ByteBuffer join(ByteBuffer last, ByteBuffer chunk) {
		return null;
	}

	@Override
	public void release(ByteBuffer chunk) {
	}

	@Override
	public ByteBuffer wrap(byte[] bytes) {
		return ByteBuffer.wrap(bytes);
	}

}
