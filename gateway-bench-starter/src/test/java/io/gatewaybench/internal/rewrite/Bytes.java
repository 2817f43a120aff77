package io.gatewaybench.internal.rewrite;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Byte arrays in and out of tests.
 */
final class Bytes {

	private Bytes() {
	}

	static byte[] of(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static byte[] of(int... values) {
		byte[] bytes = new byte[values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = (byte) values[i];
		}
		return bytes;
	}

	static byte[] join(List<byte[]> parts) {
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		parts.forEach(joined::writeBytes);
		return joined.toByteArray();
	}

	/**
	 * Cuts into chunks of one size, the last one as long as what is left.
	 */
	static List<byte[]> chunks(byte[] bytes, int size) {
		return IntStream.iterate(0, (start) -> start < bytes.length, (start) -> start + size)
			.mapToObj((start) -> Arrays.copyOfRange(bytes, start, Math.min(start + size, bytes.length)))
			.toList();
	}

}
