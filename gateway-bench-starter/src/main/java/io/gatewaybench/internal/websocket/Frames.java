package io.gatewaybench.internal.websocket;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Looks at the frames that pass in one direction (RFC 6455, section 5.2), without holding
 * any: where one ends, and how the session is closed. One thread at a time.
 */
public final class Frames {

	/** No Close frame has passed, or none with a code. */
	static final int NO_CODE = 1005;

	static final int GOING_AWAY = 1001;

	private static final int FINAL_CLOSE = 0x88;

	private static final int MASKED = 0x80;

	private final byte[] head = new byte[14];

	private int headBytes;

	private long left;

	private int position;

	private int code;

	private int closeCode;

	private volatile boolean closed;

	/**
	 * Look at the next bytes.
	 * @param bytes the bytes, which are left as they are
	 */
	public void pass(ByteBuffer bytes) {
		int index = bytes.position();
		while (index < bytes.limit()) {
			if (this.left > 0 && !isClose()) {
				long skipped = Math.min(this.left, bytes.limit() - index);
				this.left -= skipped;
				index += (int) skipped;
			}
			else if (this.left > 0) {
				payloadOfClose(bytes.get(index++));
			}
			else {
				this.head[this.headBytes++] = bytes.get(index++);
				if (this.headBytes == headLength()) {
					begin();
				}
			}
			if (this.left == 0 && this.headBytes > 1 && this.headBytes == headLength()) {
				end();
			}
		}
	}

	private int headLength() {
		if (this.headBytes < 2) {
			return 2;
		}
		return 2 + lengthBytes() + (isMasked() ? 4 : 0);
	}

	private int lengthBytes() {
		return switch (this.head[1] & 0x7f) {
			case 126 -> 2;
			case 127 -> 8;
			default -> 0;
		};
	}

	private boolean isMasked() {
		return (this.head[1] & MASKED) != 0;
	}

	private boolean isClose() {
		return (this.head[0] & 0x0f) == (FINAL_CLOSE & 0x0f);
	}

	private void begin() {
		long length = this.head[1] & 0x7f;
		if (lengthBytes() > 0) {
			length = 0;
			for (int i = 0; i < lengthBytes(); i++) {
				length = (length << 8) | (this.head[2 + i] & 0xff);
			}
		}
		// No length has the highest bit
		this.left = length & Long.MAX_VALUE;
		this.position = 0;
		this.code = 0;
	}

	private void end() {
		this.headBytes = 0;
		if (isClose() && !this.closed) {
			this.closeCode = (this.position >= 2) ? this.code : NO_CODE;
			this.closed = true;
		}
	}

	private void payloadOfClose(byte masked) {
		int key = isMasked() ? this.head[this.headBytes - 4 + this.position % 4] : 0;
		if (this.position < 2) {
			this.code = (this.code << 8) | ((masked ^ key) & 0xff);
		}
		this.position++;
		this.left--;
	}

	/**
	 * {@return whether another frame may follow here}
	 */
	public boolean isBetweenFrames() {
		return this.headBytes == 0 && !this.closed;
	}

	/**
	 * {@return whether a Close frame has passed}
	 */
	public boolean isClosed() {
		return this.closed;
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
	public static byte[] goingAway(boolean masked) {
		byte high = (byte) (GOING_AWAY >> 8);
		byte low = (byte) GOING_AWAY;
		if (!masked) {
			return new byte[] { (byte) FINAL_CLOSE, 2, high, low };
		}
		byte[] key = new byte[4];
		ThreadLocalRandom.current().nextBytes(key);
		return new byte[] { (byte) FINAL_CLOSE, (byte) (MASKED | 2), key[0], key[1], key[2], key[3],
				(byte) (high ^ key[0]), (byte) (low ^ key[1]) };
	}

}
