package io.gatewaybench.internal.rewrite;

import java.util.Arrays;

/**
 * Where the values of the top-level members with the field's key are, until they have
 * been replaced. More than one is there only if the key is there more than once.
 */
final class FieldValues {

	private static final long NONE = -1;

	private static final long[] EMPTY = {};

	private long[] bounds = EMPTY;

	private int count;

	private long open = NONE;

	/**
	 * Notes where a value begins.
	 * @param position of its first byte in the body
	 */
	void begin(long position) {
		this.open = position;
	}

	/**
	 * Notes where the value that has begun ends.
	 * @param position after its last byte in the body
	 */
	void end(long position) {
		int length = 2 * this.count;
		if (length == this.bounds.length) {
			this.bounds = Arrays.copyOf(this.bounds, Math.max(2, 2 * length));
		}
		this.bounds[length] = this.open;
		this.bounds[length + 1] = position;
		this.count++;
		this.open = NONE;
	}

	boolean isOpen() {
		return this.open != NONE;
	}

	/**
	 * Returns where the value that has begun and not ended begins.
	 */
	long openStart() {
		return this.open;
	}

	/**
	 * Returns how many values have ended.
	 */
	int count() {
		return this.count;
	}

	long start(int index) {
		return this.bounds[2 * index];
	}

	long end(int index) {
		return this.bounds[2 * index + 1];
	}

	/**
	 * Forgets the values that have ended.
	 */
	void clear() {
		this.count = 0;
	}

}
