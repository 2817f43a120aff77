package io.gatewaybench.webmvc;

import java.nio.ByteBuffer;

import io.gatewaybench.rewrite.ChunkType;

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

	@Override
	public void release(ByteBuffer chunk) {
		// The garbage collector does it
	}

	@Override
	public ByteBuffer wrap(byte[] bytes) {
		return ByteBuffer.wrap(bytes);
	}

}
