package io.gatewaybench.internal.rewrite;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The next bytes of a body, copied to where looking at them is fastest: an array in the
 * processor's nearest cache. It finds the end of a run of bytes, eight at a time in one
 * {@code long}.
 * <p>
 * After the last byte comes a zero, which ends every run, so nothing here has to look out
 * for the end. The arithmetic on words comes from "Hacker's Delight" (Warren, 2nd
 * edition, section 6-1): the high bit of a byte tells that it ends the run. A borrow or
 * carry can only make bytes after the first such byte wrong, and those are not used. The
 * first byte is in the low bits on every machine.
 */
final class Window {

	/**
	 * How many bytes there are at most.
	 */
	static final int SIZE = 4096;

	/** How far a look at whole words may reach after the last byte. */
	private static final int MARGIN = 3 * Long.BYTES;

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long EACH = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x80 * EACH;

	private static final long SPACES = ' ' * EACH;

	private static final long ZEROS = '0' * EACH;

	/** What added to a byte above {@code '9'} sets its high bit. */
	private static final long ABOVE_NINE = (0x7f - '9') * EACH;

	/** A power of two, so that a hash finds a place without a division. */
	private static final int PLACES = 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors());

	/** Those that nobody uses at the moment. */
	private static final AtomicReferenceArray<Window> FREE = new AtomicReferenceArray<>(PLACES);

	/** The bytes from the first one on, followed by a zero. */
	final byte[] bytes = new byte[SIZE + MARGIN];

	/** The high bit of each tells that the byte is not plain text. */
	private final byte[] marks = new byte[SIZE + MARGIN];

	/**
	 * Takes a window for as long as one piece of a body is looked at. A window for each
	 * body would be 8 KB more to allocate, in memory that is in no cache yet.
	 */
	static Window take() {
		Window free = FREE.getAndSet(place(), null);
		return (free != null) ? free : new Window();
	}

	/**
	 * Gives the window to whoever takes one next.
	 */
	void giveBack() {
		FREE.set(place(), this);
	}

	private static int place() {
		return (int) Thread.currentThread().getId() & (PLACES - 1);
	}

	/**
	 * Takes the next bytes.
	 * @param chunk where they are
	 * @param position where they begin
	 * @param length how many they are, at most {@value #SIZE}
	 */
	void load(ByteBuffer chunk, int position, int length) {
		chunk.get(position, this.bytes, 0, length);
		this.bytes[length] = 0;
		mark(this.bytes, this.marks, length + 1);
	}

	/**
	 * Marks quotes, backslashes, control characters and what is not ASCII. Without a
	 * branch, and only with arithmetic on bytes, so that the compiler makes a loop of
	 * vectors of it. To flip the bit of 2 puts the quote right above the control
	 * characters, so that one subtraction finds both.
	 */
	private static void mark(byte[] bytes, byte[] marks, int length) {
		for (int i = 0; i < length; i++) {
			int next = bytes[i];
			marks[i] = (byte) (((next ^ 2) - 33) | ((next ^ '\\') - 1) | next);
		}
	}

	/**
	 * Finds the end of text without escapes and control characters.
	 * @param from where the text begins
	 * @return the first quote, backslash, control character or byte that is not ASCII
	 */
	int textEnd(int from) {
		byte[] marks = this.marks;
		int at = from;
		long ends = (long) LONGS.get(marks, at) & HIGH_BITS;
		if (ends != 0) {
			return at + firstByte(ends);
		}
		at += Long.BYTES;
		// Most strings have ended by now, and long ones pay for two words a round
		while (true) {
			ends = (long) LONGS.get(marks, at) & HIGH_BITS;
			long nextEnds = (long) LONGS.get(marks, at + Long.BYTES) & HIGH_BITS;
			if ((ends | nextEnds) != 0) {
				return (ends != 0) ? at + firstByte(ends) : at + Long.BYTES + firstByte(nextEnds);
			}
			at += 2 * Long.BYTES;
		}
	}

	/**
	 * Finds the end of digits.
	 * @param from where the digits begin
	 * @return the first byte that is no digit
	 */
	int digitsEnd(int from) {
		byte[] bytes = this.bytes;
		for (int at = from;; at += Long.BYTES) {
			long word = (long) LONGS.get(bytes, at);
			long ends = ((word - ZEROS) | (word + ABOVE_NINE) | word) & HIGH_BITS;
			if (ends != 0) {
				return at + firstByte(ends);
			}
		}
	}

	/**
	 * Finds the end of spaces, which is what indentation consists of.
	 * @param from where the spaces begin
	 * @return the first byte that is no space
	 */
	int spacesEnd(int from) {
		byte[] bytes = this.bytes;
		for (int at = from;; at += Long.BYTES) {
			long others = (long) LONGS.get(bytes, at) ^ SPACES;
			if (others != 0) {
				return at + firstByte(others);
			}
		}
	}

	/**
	 * Returns four bytes at once, to be compared with {@link #word(byte[], int)}.
	 * @param at where they begin
	 */
	int word(int at) {
		return word(this.bytes, at);
	}

	/**
	 * Returns four bytes at once.
	 * @param bytes where they are
	 * @param at where they begin
	 */
	static int word(byte[] bytes, int at) {
		return (int) INTS.get(bytes, at);
	}

	private static int firstByte(long bits) {
		return Long.numberOfTrailingZeros(bits) >>> 3;
	}

}
