package io.gatewaybench.internal.netty;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;

/**
 * Where a client of HTTP/2 is in what it sends (RFC 9113, sections 3.4, 4.1 and 6.10).
 * Nothing comes between the frames of one head.
 */
final class Http2Frames {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int FRAME_HEAD = 9;

	private static final int LENGTH_BYTES = 3;

	private static final int HEADERS = 1;

	private static final int CONTINUATION = 9;

	private static final int END_HEADERS = 4;

	private int preface;

	private boolean other;

	private int frameHead;

	private int left;

	private int type;

	private int flags;

	private boolean unfinished;

	/**
	 * Whether it has begun as HTTP/2 does.
	 */
	boolean areFrames() {
		return !this.other;
	}

	/**
	 * Look at what comes next, and leave it there.
	 * @return whether a head, or what comes before the first one, has ended in it
	 */
	boolean follow(ByteBuf bytes) {
		boolean ended = false;
		int index = bytes.readerIndex();
		while (index < bytes.writerIndex() && !this.other) {
			if (this.preface < PREFACE.length) {
				this.other = bytes.getByte(index++) != PREFACE[this.preface++];
				ended |= this.preface == PREFACE.length;
			}
			else if (this.frameHead < FRAME_HEAD) {
				head(bytes.getUnsignedByte(index++));
				ended |= endFrame();
			}
			else {
				int some = Math.min(this.left, bytes.writerIndex() - index);
				this.left -= some;
				index += some;
				ended |= endFrame();
			}
		}
		return ended;
	}

	private void head(int next) {
		if (this.frameHead < LENGTH_BYTES) {
			this.left = (this.left << Byte.SIZE) + next;
		}
		else if (this.frameHead == LENGTH_BYTES) {
			this.type = next;
		}
		else if (this.frameHead == LENGTH_BYTES + 1) {
			this.flags = next;
		}
		this.frameHead++;
	}

	private boolean endFrame() {
		if (this.frameHead < FRAME_HEAD || this.left > 0) {
			return false;
		}
		this.frameHead = 0;
		if (isOfHead()) {
			this.unfinished = (this.flags & END_HEADERS) == 0;
		}
		return isOfHead() && !this.unfinished;
	}

	private boolean isOfHead() {
		return this.type == HEADERS || this.type == CONTINUATION;
	}

	/**
	 * Whether a head has begun and has not ended, or what may be one.
	 */
	boolean isInHead() {
		boolean inFrame = this.frameHead == FRAME_HEAD;
		return this.preface < PREFACE.length || this.unfinished || (inFrame ? isOfHead() : this.frameHead > 0);
	}

}
