package io.gatewaybench.filter;

import io.gatewaybench.rewrite.HeldMemory;

/**
 * Bodies of requests that are read before a connection to an upstream is taken, so that a
 * slow client takes none from others. Those that are long, or that find no room, are sent
 * on as they come.
 *
 * @since 0.1.0
 */
public final class ShortBodies {

	private static final int LONGEST = 64 * 1024;

	private final HeldMemory memory;

	/**
	 * Create the limit.
	 * @param memory what there is for all bodies that are held
	 */
	public ShortBodies(HeldMemory memory) {
		this.memory = memory;
	}

	/**
	 * Take the memory for a body.
	 * @param length how long the body is, in bytes; not positive if that is unknown
	 * @return whether to read it first; then the memory is to be given back
	 */
	public boolean take(long length) {
		return length > 0 && length <= LONGEST && this.memory.take(length);
	}

	/**
	 * The body is not needed any more.
	 * @param length how long it was, in bytes
	 */
	public void giveBack(long length) {
		this.memory.giveBack(length);
	}

}
