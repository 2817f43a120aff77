package io.gatewaybench.rewrite;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of a run of bytes, eight at a time in one {@code long}.
 * <p>
 * The arithmetic is that of "Hacker's Delight" (Warren, 2nd edition, section 6-1): the
 * high bit of a byte tells that it ends the run. A borrow or carry can only make bytes
 * after the first such byte wrong, and nobody looks at those. The first byte is in the
 * low bits on every machine.
 */
final class EightBytes {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long EACH = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * EACH;

	private static final long QUOTES = '"' * EACH;

	private static final long BACKSLASHES = '\\' * EACH;

	private static final long SPACES = ' ' * EACH;

	private static final long ZEROS = '0' * EACH;

	/** What added to a byte above {@code '9'} sets its high bit. */
	private static final long ABOVE_NINE = (0x7f - '9') * EACH;

	private EightBytes() {
	}

	/**
	 * Finds the end of text that is nothing but itself.
	 * @param bytes where
	 * @param from where the text begins
	 * @param to where to stop looking
	 * @return the first quote, backslash, control character or byte that is not ASCII, or
	 * {@code to}
	 */
	static int plainEnd(byte[] bytes, int from, int to) {
		int at = from;
		if (to - at >= Long.BYTES) {
			long ends = notPlain((long) LONGS.get(bytes, at));
			if (ends != 0) {
				return at + firstByte(ends);
			}
			at += Long.BYTES;
		}
		// Most strings have ended by now, and long ones pay for two words a round
		for (; to - at >= 2 * Long.BYTES; at += 2 * Long.BYTES) {
			long ends = notPlain((long) LONGS.get(bytes, at));
			long nextEnds = notPlain((long) LONGS.get(bytes, at + Long.BYTES));
			if ((ends | nextEnds) != 0) {
				return (ends != 0) ? at + firstByte(ends) : at + Long.BYTES + firstByte(nextEnds);
			}
		}
		while (at < to && bytes[at] >= ' ' && bytes[at] != '"' && bytes[at] != '\\') {
			at++;
		}
		return at;
	}

	/**
	 * Finds the end of digits.
	 * @param bytes where
	 * @param from where the digits begin
	 * @param to where to stop looking
	 * @return the first byte that is no digit, or {@code to}
	 */
	static int digitsEnd(byte[] bytes, int from, int to) {
		int at = from;
		for (; to - at >= Long.BYTES; at += Long.BYTES) {
			long word = (long) LONGS.get(bytes, at);
			long ends = ((word - ZEROS) | (word + ABOVE_NINE) | word) & HIGH_BITS;
			if (ends != 0) {
				return at + firstByte(ends);
			}
		}
		while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
			at++;
		}
		return at;
	}

	/**
	 * Finds the end of spaces, which is what indentation consists of.
	 * @param bytes where
	 * @param from where the spaces begin
	 * @param to where to stop looking
	 * @return the first byte that is no space, or {@code to}
	 */
	static int spacesEnd(byte[] bytes, int from, int to) {
		int at = from;
		for (; to - at >= Long.BYTES; at += Long.BYTES) {
			long others = (long) LONGS.get(bytes, at) ^ SPACES;
			if (others != 0) {
				return at + firstByte(others);
			}
		}
		while (at < to && bytes[at] == ' ') {
			at++;
		}
		return at;
	}

	private static long notPlain(long word) {
		// What is below a space borrows; an equal byte leaves 0, which borrows too
		return ((word - SPACES) | ((word ^ QUOTES) - EACH) | ((word ^ BACKSLASHES) - EACH) | word) & HIGH_BITS;
	}

	private static int firstByte(long bits) {
		return Long.numberOfTrailingZeros(bits) >>> 3;
	}

}
