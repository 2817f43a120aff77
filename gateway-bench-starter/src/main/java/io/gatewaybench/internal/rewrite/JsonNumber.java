package io.gatewaybench.internal.rewrite;

/**
 * The grammar of numbers, RFC 8259 section 6, of any length and range.
 */
final class JsonNumber {

	/** Nothing of the number has been seen. */
	static final int START = 0;

	/** The byte is not part of the number, which ends before it. */
	static final int ENDED = 9;

	/** RFC 8259 doesn't allow the byte here. */
	static final int BROKEN = 10;

	private static final int MINUS = 1;

	private static final int ZERO = 2;

	private static final int INTEGER = 3;

	private static final int POINT = 4;

	private static final int FRACTION = 5;

	private static final int E = 6;

	private static final int SIGN = 7;

	private static final int EXPONENT = 8;

	private JsonNumber() {
	}

	/**
	 * Finds the end of a number that is all there.
	 * @param window where
	 * @param from where it begins
	 * @param to where the window ends
	 * @return the position after the number, or {@code from} if the number is broken or
	 * may go on in the next bytes, so that {@link #next} has to look at it
	 */
	static int end(Window window, int from, int to) {
		byte[] bytes = window.bytes;
		int first = (bytes[from] == '-') ? from + 1 : from;
		int at = (bytes[first] == '0') ? first + 1 : window.digitsEnd(first);
		if (at == first || at == to) {
			return from;
		}
		if (bytes[at] == '.') {
			int fraction = at + 1;
			at = window.digitsEnd(fraction);
			if (at == fraction || at == to) {
				return from;
			}
		}
		if ((bytes[at] | 0x20) == 'e') {
			int exponent = at + 1;
			if (bytes[exponent] == '+' || bytes[exponent] == '-') {
				exponent++;
			}
			at = window.digitsEnd(exponent);
			if (at == exponent || at == to) {
				return from;
			}
		}
		return at;
	}

	/**
	 * Takes one byte of a number that comes in parts.
	 * @param state what came before it
	 * @param next the byte
	 * @return what there is with it
	 */
	static int next(int state, byte next) {
		boolean digit = next >= '0' && next <= '9';
		return switch (state) {
			case START -> (next == '-') ? MINUS : integer(next, digit);
			case MINUS -> integer(next, digit);
			case ZERO -> afterInteger(next);
			case INTEGER -> digit ? INTEGER : afterInteger(next);
			case POINT -> digit ? FRACTION : BROKEN;
			case FRACTION -> digit ? FRACTION : afterFraction(next);
			case E -> (next == '+' || next == '-') ? SIGN : digit ? EXPONENT : BROKEN;
			case SIGN -> digit ? EXPONENT : BROKEN;
			default -> digit ? EXPONENT : ENDED;
		};
	}

	private static int integer(byte next, boolean digit) {
		return (next == '0') ? ZERO : digit ? INTEGER : BROKEN;
	}

	private static int afterInteger(byte next) {
		return (next == '.') ? POINT : afterFraction(next);
	}

	private static int afterFraction(byte next) {
		return (next == 'e' || next == 'E') ? E : ENDED;
	}

}
