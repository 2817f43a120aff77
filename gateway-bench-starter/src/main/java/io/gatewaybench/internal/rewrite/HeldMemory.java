package io.gatewaybench.internal.rewrite;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much all bodies together may hold, those of responses and of requests. Each has a
 * limit of its own, but there may be hundreds of them. One that finds no room is
 * streamed.
 */
public final class HeldMemory {

	private final long most;

	private final AtomicLong taken = new AtomicLong();

	private HeldMemory(long most) {
		this.most = most;
	}

	/**
	 * Memory that nobody has taken.
	 * @param most how much there is, in bytes, 0 or more
	 * @return the memory
	 * @throws IllegalArgumentException if it is less than nothing
	 */
	public static HeldMemory of(long most) {
		if (most < 0) {
			throw new IllegalArgumentException("max-total-buffer-size must be 0 or more bytes but was " + most);
		}
		return new HeldMemory(most);
	}

	/**
	 * Take memory for a body.
	 * @param bytes how many bytes
	 * @return whether there was room; if not, none is taken
	 */
	public boolean take(long bytes) {
		boolean room = this.taken.addAndGet(bytes) <= this.most;
		if (!room) {
			giveBack(bytes);
		}
		return room;
	}

	/**
	 * Give memory of a body back.
	 * @param bytes how many bytes
	 */
	public void giveBack(long bytes) {
		this.taken.addAndGet(-bytes);
	}

	/**
	 * How much bodies have taken at the moment. What is to come of a body of known length
	 * counts as well.
	 * @return how many bytes
	 */
	public long taken() {
		return this.taken.get();
	}

}
