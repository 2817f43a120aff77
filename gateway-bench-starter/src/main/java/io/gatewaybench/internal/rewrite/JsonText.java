package io.gatewaybench.internal.rewrite;

/**
 * Walks through a string that needs a closer look: one with escapes, with characters that
 * are not ASCII, or one that goes on in the next chunk.
 */
final class JsonText {

	/** The chunk ends before the string. */
	static final int OPEN = -1;

	/** RFC 8259 doesn't allow the string. */
	static final int BROKEN = -2;

	private static final int PLAIN = 0;

	private static final int ESCAPE = 1;

	private static final int HEX_DIGITS = 2;

	private static final int CONTINUATION = 3;

	private final FieldKey key;

	private int state;

	/** How many more hexadecimal digits or continuation bytes there must be. */
	private int missing;

	/** The code unit that the hexadecimal digits make. */
	private int unit;

	/** The range of the next continuation byte. */
	private int lowest;

	private int highest;

	JsonText(FieldKey key) {
		this.key = key;
	}

	/**
	 * Walks on.
	 * @param window where
	 * @param from where the string goes on
	 * @param to where the chunk ends
	 * @return the position after the closing quote, after which the next string may
	 * begin, or {@link #OPEN} or {@link #BROKEN}
	 */
	int walk(Window window, int from, int to) {
		byte[] bytes = window.bytes;
		int at = from;
		while (at < to) {
			if (this.state == PLAIN) {
				int end = window.textEnd(at);
				this.key.plain(bytes, at, end);
				if (end == to) {
					return OPEN;
				}
				at = end + 1;
				if (bytes[end] == '"') {
					return at;
				}
				int simple = simpleEnd(bytes, end, to);
				if (simple > end) {
					this.key.foreign();
					at = simple;
				}
				else if (!beginsCharacter(bytes[end])) {
					return BROKEN;
				}
			}
			else if (!endsCharacter(bytes[at++])) {
				return BROKEN;
			}
		}
		return OPEN;
	}

	/**
	 * Takes at once what needs no state: characters of two or three bytes and escapes of
	 * one letter, as long as they end in sight and have no rule of their own.
	 * @return the position after them, or {@code from} if there are none
	 */
	private static int simpleEnd(byte[] bytes, int from, int to) {
		int at = from;
		while (to - at >= 3) {
			int lead = bytes[at] & 0xff;
			if (lead >= 0xc2 && lead < 0xe0 && isContinuation(bytes[at + 1])) {
				at += 2;
			}
			else if (lead > 0xe0 && lead < 0xf0 && lead != 0xed && isContinuation(bytes[at + 1])
					&& isContinuation(bytes[at + 2])) {
				at += 3;
			}
			else if (lead == '\\' && isEscapable(bytes[at + 1])) {
				at += 2;
			}
			else {
				return at;
			}
		}
		return at;
	}

	private static boolean isContinuation(byte next) {
		return (next & 0xc0) == 0x80;
	}

	private static boolean isEscapable(byte next) {
		return switch (next) {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> true;
			default -> false;
		};
	}

	private boolean beginsCharacter(byte first) {
		if (first == '\\') {
			this.state = ESCAPE;
			return true;
		}
		this.state = CONTINUATION;
		this.key.foreign();
		return leads(first & 0xff);
	}

	private boolean endsCharacter(byte next) {
		return switch (this.state) {
			case ESCAPE -> escapes(next);
			case HEX_DIGITS -> isHexDigit(next);
			default -> continues(next & 0xff);
		};
	}

	private boolean escapes(byte next) {
		if (next == 'u') {
			this.state = HEX_DIGITS;
			this.missing = 4;
			this.unit = 0;
			return true;
		}
		this.state = PLAIN;
		this.key.foreign();
		return isEscapable(next);
	}

	/**
	 * Half a surrogate pair is allowed: it is bad Unicode, but RFC 8259 section 8.2
	 * leaves it in the grammar.
	 */
	private boolean isHexDigit(byte next) {
		int digit = Character.digit(next, 16);
		this.unit = (this.unit << 4) | digit;
		if (--this.missing == 0) {
			this.state = PLAIN;
			this.key.escaped(this.unit);
		}
		return digit >= 0;
	}

	/**
	 * Table 3-7 of the Unicode Standard: no spelling that is longer than necessary, no
	 * surrogates, nothing above U+10FFFF.
	 */
	private boolean leads(int lead) {
		this.missing = (lead < 0xe0) ? 1 : (lead < 0xf0) ? 2 : 3;
		this.lowest = (lead == 0xe0) ? 0xa0 : (lead == 0xf0) ? 0x90 : 0x80;
		this.highest = (lead == 0xed) ? 0x9f : (lead == 0xf4) ? 0x8f : 0xbf;
		return lead >= 0xc2 && lead <= 0xf4;
	}

	private boolean continues(int next) {
		boolean inRange = next >= this.lowest && next <= this.highest;
		this.lowest = 0x80;
		this.highest = 0xbf;
		if (--this.missing == 0) {
			this.state = PLAIN;
		}
		return inRange;
	}

}
