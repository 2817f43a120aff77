package io.gatewaybench.internal.rewrite;

import java.util.Arrays;

/**
 * Compares one key after the other with the field.
 */
final class FieldKey {

	private static final int DIFFERENT = -1;

	private final byte[] field;

	private int matched;

	/**
	 * Make a comparison.
	 * @param field the key to find, all ASCII
	 */
	FieldKey(byte[] field) {
		this.field = field;
	}

	/**
	 * Compares a key that is all there and has no escapes.
	 */
	boolean equalTo(byte[] bytes, int from, int to) {
		return Arrays.equals(bytes, from, to, this.field, 0, this.field.length);
	}

	/**
	 * Begins a key that comes in parts.
	 */
	void begin() {
		this.matched = 0;
	}

	/**
	 * Begins text that is no top-level key.
	 */
	void ignore() {
		this.matched = DIFFERENT;
	}

	/**
	 * Takes the next part as it is spelled.
	 */
	void plain(byte[] bytes, int from, int to) {
		if (this.matched != DIFFERENT) {
			int after = this.matched + to - from;
			boolean same = after <= this.field.length
					&& Arrays.equals(bytes, from, to, this.field, this.matched, after);
			this.matched = same ? after : DIFFERENT;
		}
	}

	/**
	 * Takes the next character, which is spelled as an escape.
	 */
	void escaped(int character) {
		if (this.matched != DIFFERENT) {
			boolean same = this.matched < this.field.length && this.field[this.matched] == character;
			this.matched = same ? this.matched + 1 : DIFFERENT;
		}
	}

	/**
	 * Takes a character that no field has.
	 */
	void foreign() {
		this.matched = DIFFERENT;
	}

	/**
	 * Tells at the end of a key whether it is the field.
	 */
	boolean matches() {
		return this.matched == this.field.length;
	}

}
