package io.gatewaybench.internal.rewrite;

import java.util.Arrays;

/**
 * Which of the values around a byte are objects and which are arrays, one bit each.
 */
final class Nesting {

	/**
	 * The deepest nesting, the outermost object included. RFC 8259 section 9 allows a
	 * limit; the trees have {@value JsonTree#MAX_DEPTH}.
	 */
	static final int MAX_DEPTH = 1024;

	private long[] objects = new long[1];

	/**
	 * Notes what a value is.
	 * @param depth how deep it is, from 0 to {@value #MAX_DEPTH} - 1
	 * @param object whether it is an object
	 */
	void enter(int depth, boolean object) {
		int word = depth >> 6;
		if (word == this.objects.length) {
			this.objects = Arrays.copyOf(this.objects, MAX_DEPTH / Long.SIZE);
		}
		long bit = 1L << depth;
		this.objects[word] = object ? this.objects[word] | bit : this.objects[word] & ~bit;
	}

	/**
	 * Tells what a value is.
	 * @param depth how deep it is
	 * @return whether it is an object
	 */
	boolean isObject(int depth) {
		return (this.objects[depth >> 6] & (1L << depth)) != 0;
	}

}
