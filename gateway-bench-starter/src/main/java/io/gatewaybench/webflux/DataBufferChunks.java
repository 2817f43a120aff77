package io.gatewaybench.webflux;

import java.nio.ByteBuffer;

import io.gatewaybench.internal.rewrite.ChunkType;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBuffer.ByteBufferIterator;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * Chunks of a body as buffers of Spring's reactive stack.
 */
final class DataBufferChunks implements ChunkType<DataBuffer> {

	/** A buffer itself takes about as much. */
	private static final int SMALL = 256;

	private static final int PACKED = 1024;

	private static final int FEW = 16;

	private final DataBufferFactory factory;

	private int smallOnes;

	private @Nullable DataBuffer packed;

	DataBufferChunks(DataBufferFactory factory) {
		this.factory = factory;
	}

	@Override
	public int length(DataBuffer chunk) {
		return chunk.readableByteCount();
	}

	@Override
	public ByteBuffer view(DataBuffer chunk) {
		try (ByteBufferIterator buffers = chunk.readableByteBuffers()) {
			ByteBuffer first = buffers.next();
			if (!buffers.hasNext()) {
				return first;
			}
		}
		// A composite of several buffers, which Netty makes only when somebody joined
		// them
		ByteBuffer copy = ByteBuffer.allocate(chunk.readableByteCount());
		chunk.toByteBuffer(copy);
		return copy;
	}

	@Override
	public DataBuffer split(DataBuffer chunk, int length) {
		return chunk.split(chunk.readPosition() + length);
	}

	/**
	 * Copies what an upstream sends in many small pieces. Only buffers that are made here
	 * have room that nobody else writes to.
	 */
	@Override
	public @Nullable DataBuffer join(DataBuffer last, DataBuffer chunk) {
		int length = chunk.readableByteCount();
		if (length > SMALL || ++this.smallOnes <= FEW) {
			return null;
		}
		boolean fits = (last == this.packed) ? last.writableByteCount() >= length : last.readableByteCount() <= SMALL;
		if (!fits) {
			return null;
		}
		DataBuffer target = last;
		if (last != this.packed) {
			target = this.factory.allocateBuffer(PACKED).write(last);
			DataBufferUtils.release(last);
			this.packed = target;
		}
		target.write(chunk);
		DataBufferUtils.release(chunk);
		return target;
	}

	@Override
	public void release(DataBuffer chunk) {
		DataBufferUtils.release(chunk);
	}

	/**
	 * Outside the heap, like what comes from the upstream: for one piece inside it the
	 * server would copy the whole body that it is joined to, twice.
	 */
	@Override
	public DataBuffer wrap(byte[] bytes) {
		return this.factory.allocateBuffer(bytes.length).write(bytes);
	}

}
