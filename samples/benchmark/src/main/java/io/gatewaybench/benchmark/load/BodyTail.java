package io.gatewaybench.benchmark.load;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;

/**
 * The size of a body and its last bytes, which is all of it that is kept.
 */
final class BodyTail {

	/**
	 * How many bytes are kept; a {@code _gateway} field takes 60 to 150.
	 */
	static final int CAPACITY = 256;

	private final byte[] bytes = new byte[CAPACITY];

	private int length;

	private long total;

	void reset() {
		this.length = 0;
		this.total = 0;
	}

	void append(ByteBuf source) {
		int count = source.readableBytes();
		this.total += count;
		int taken = Math.min(count, CAPACITY);
		int kept = Math.min(this.length, CAPACITY - taken);
		System.arraycopy(this.bytes, this.length - kept, this.bytes, 0, kept);
		source.getBytes(source.writerIndex() - taken, this.bytes, kept, taken);
		this.length = kept + taken;
	}

	/**
	 * The size of the whole body.
	 * @return bytes
	 */
	long total() {
		return this.total;
	}

	String text() {
		return new String(this.bytes, 0, this.length, StandardCharsets.ISO_8859_1);
	}

}
