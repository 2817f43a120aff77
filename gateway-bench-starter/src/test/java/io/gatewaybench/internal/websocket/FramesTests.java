package io.gatewaybench.internal.websocket;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FramesTests {

	private static final int CLOSE = 0x88;

	@Test
	void framesOfAnySizeInAnyPiecesEndWhereTheyEnd() throws IOException {
		Random random = new Random(1);
		for (int i = 0; i < 500; i++) {
			Frames frames = new Frames();
			boolean masked = random.nextBoolean();
			for (int j = 0; j < 5; j++) {
				int length = random.nextInt(new int[] { 3, 126, 300, 70_000 }[random.nextInt(4)]);
				byte[] frame = frame(0x80 | random.nextInt(3), masked, new byte[length]);
				passInPieces(frames, frame, frame.length - 1, random);
				assertThat(frames.isBetweenFrames()).isFalse();
				frames.pass(ByteBuffer.wrap(frame, frame.length - 1, 1));
				assertThat(frames.isBetweenFrames()).isTrue();
			}
			int code = 1000 + random.nextInt(4000);
			byte[] close = frame(CLOSE, masked, new byte[] { (byte) (code >> 8), (byte) code, 'b', 'y', 'e' });
			passInPieces(frames, close, close.length, random);
			assertThat(frames.isClosed()).isTrue();
			assertThat(frames.isBetweenFrames()).isFalse();
			assertThat(frames.code()).isEqualTo(code);
		}
	}

	@Test
	void aCloseFrameNeedsNoCode() throws IOException {
		Frames frames = new Frames();
		frames.pass(ByteBuffer.wrap(frame(CLOSE, true, new byte[0])));
		assertThat(frames.isClosed()).isTrue();
		assertThat(frames.code()).isEqualTo(Frames.NO_CODE);
	}

	@Test
	void whatTheGatewaySaysIsACloseFrame() {
		for (boolean masked : new boolean[] { true, false }) {
			Frames frames = new Frames();
			frames.pass(ByteBuffer.wrap(Frames.goingAway(masked)));
			assertThat(frames.isClosed()).isTrue();
			assertThat(frames.code()).isEqualTo(Frames.GOING_AWAY);
		}
	}

	/**
	 * Peers may send anything.
	 */
	@Test
	void noBytesMakeItFail() {
		Random random = new Random(2);
		for (int i = 0; i < 1_000; i++) {
			byte[] bytes = new byte[random.nextInt(200)];
			random.nextBytes(bytes);
			new Frames().pass(ByteBuffer.wrap(bytes));
		}
	}

	private static void passInPieces(Frames frames, byte[] bytes, int end, Random random) {
		int start = 0;
		while (start < end) {
			int length = Math.min(end - start, 1 + random.nextInt(1 + bytes.length / 3));
			frames.pass(ByteBuffer.wrap(bytes, start, length));
			start += length;
		}
	}

	private static byte[] frame(int first, boolean masked, byte[] payload) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		int mask = masked ? 0x80 : 0;
		out.write(first);
		if (payload.length < 126) {
			out.write(mask | payload.length);
		}
		else if (payload.length < 65536) {
			out.write(mask | 126);
			out.writeShort(payload.length);
		}
		else {
			out.write(mask | 127);
			out.writeLong(payload.length);
		}
		byte[] key = masked ? new byte[] { 7, 8, 9, 10 } : new byte[4];
		out.write(masked ? key : new byte[0]);
		for (int i = 0; i < payload.length; i++) {
			out.write(payload[i] ^ key[i % 4]);
		}
		return bytes.toByteArray();
	}

}
