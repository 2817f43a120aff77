package io.gatewaybench.internal.rewrite;

/**
 * Receives what to do with the bytes fed so far, each byte once and in their order.
 */
interface Edits {

	/**
	 * Lets the next bytes leave as they came.
	 * @param bytes how many, at most as many as are undecided
	 */
	void keep(long bytes);

	/**
	 * Leaves the next bytes out; their memory is gone when this returns.
	 * @param bytes how many, at most as many as are undecided
	 */
	void drop(long bytes);

	/**
	 * Adds bytes between the last decided byte and the first undecided one.
	 * @param bytes the bytes, not changed afterwards
	 */
	void insert(byte[] bytes);

}
