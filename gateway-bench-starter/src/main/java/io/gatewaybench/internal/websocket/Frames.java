package io.gatewaybench.internal.websocket;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Looks at the frames that pass in one direction (RFC 6455, section 5.2), without holding
 * any: where one ends, and how the session is closed. One thread at a time.
 */
final class Frames {

	/** A Close frame has passed that has no code. */
	static final int NO_CODE = 1005;

	static final int GOING_AWAY = 1001;

	private static final int CLOSE = 0x88;

	private static final int MASKED = 0x80;

	private static final int CODE_BYTES = 2;

	/** The head of a frame, and behind it the code of a Close frame. */
	private final ByteBuffer start = ByteBuffer.allocate(14 + CODE_BYTES);

	private int head = 2;

	private int wanted = 2;

	private long left;

	private int closeCode;

	/**
	 * Look at the next bytes.
	 * @param bytes the bytes, which are left as they are
	 */
	void pass(ByteBuffer bytes) {
		int index = bytes.position();
		while (index < bytes.limit()) {
			if (this.start.position() < this.wanted) {
				begin(bytes.get(index++));
			}
			else {
				long skipped = Math.min(this.left, bytes.limit() - index);
				this.left -= skipped;
				index += (int) skipped;
			}
			if (this.start.position() == this.wanted && this.left == 0) {
				end();
			}
		}
	}

	private void begin(byte next) {
		this.start.put(next);
		int length = this.start.get(1) & 0x7f;
		if (this.start.position() == 2) {
			this.head = 2 + ((length == 126) ? 2 : (length == 127) ? 8 : 0) + (isMasked() ? 4 : 0);
			this.wanted = this.head;
		}
		if (this.start.position() == this.head) {
			// No length has the highest bit
			this.left = (length == 126) ? this.start.getShort(2) & 0xffff
					: (length == 127) ? this.start.getLong(2) & Long.MAX_VALUE : length;
			if (isClose()) {
				int code = (int) Math.min(this.left, CODE_BYTES);
				this.wanted += code;
				this.left -= code;
			}
		}
	}

	private boolean isMasked() {
		return (this.start.get(1) & MASKED) != 0;
	}

	private boolean isClose() {
		return (this.start.get(0) & 0x0f) == (CLOSE & 0x0f);
	}

	private void end() {
		if (isClose() && !isClosed()) {
			int code = this.start.getShort(this.head) & 0xffff;
			int key = isMasked() ? this.start.getShort(this.head - 4) & 0xffff : 0;
			this.closeCode = (this.wanted == this.head + CODE_BYTES) ? code ^ key : NO_CODE;
		}
		this.start.clear();
		this.head = 2;
		this.wanted = 2;
	}

	/**
	 * Whether another frame may follow here.
	 */
	boolean isBetweenFrames() {
		return this.start.position() == 0 && !isClosed();
	}

	/**
	 * Whether a Close frame has passed.
	 */
	boolean isClosed() {
		return this.closeCode != 0;
	}

	/**
	 * The code of the Close frame that has passed.
	 */
	int code() {
		return this.closeCode;
	}

	/**
	 * What tells a peer that the gateway ends the session.
	 * @param masked whether it goes to an upstream, which takes masked frames only
	 * @return a Close frame
	 */
	static byte[] goingAway(boolean masked) {
		ByteBuffer frame = ByteBuffer.allocate(masked ? 8 : 4).put((byte) CLOSE);
		int key = 0;
		if (masked) {
			key = ThreadLocalRandom.current().nextInt();
			frame.put((byte) (MASKED | CODE_BYTES)).putInt(key);
		}
		else {
			frame.put((byte) CODE_BYTES);
		}
		return frame.putShort((short) (GOING_AWAY ^ (key >>> 16))).array();
	}

}
