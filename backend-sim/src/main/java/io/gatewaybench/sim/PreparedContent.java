package io.gatewaybench.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * One body for every response: nothing is copied.
 */
final class PreparedContent implements Content {

	private final ByteBuf body;

	PreparedContent(byte[] body) {
		this.body = PooledByteBufAllocator.DEFAULT.directBuffer(body.length).writeBytes(body).asReadOnly();
	}

	@Override
	public ByteBuf body(ByteBuf request, ByteBufAllocator allocator) {
		return this.body.retainedDuplicate();
	}

	@Override
	public void release() {
		this.body.release();
	}

}
