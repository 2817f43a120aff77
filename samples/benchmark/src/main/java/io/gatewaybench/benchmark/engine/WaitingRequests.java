package io.gatewaybench.benchmark.engine;

import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of requests and their intended starts that allocates nothing per
 * request.
 */
final class WaitingRequests {

	private final @Nullable PreparedRequest[] requests;

	private final long[] intended;

	private int head;

	private int size;

	WaitingRequests(int capacity) {
		this.requests = new PreparedRequest[capacity];
		this.intended = new long[capacity];
	}

	/**
	 * Adds a request.
	 * @param request the request
	 * @param intendedStart when it was to start
	 * @return whether there was room
	 */
	boolean add(PreparedRequest request, long intendedStart) {
		if (this.size == this.requests.length) {
			return false;
		}
		int tail = (this.head + this.size) % this.requests.length;
		this.requests[tail] = request;
		this.intended[tail] = intendedStart;
		this.size++;
		return true;
	}

	int size() {
		return this.size;
	}

	/**
	 * The intended start of the request that {@link #remove()} returns next.
	 * @return the intended start
	 */
	long firstIntended() {
		return this.intended[this.head];
	}

	PreparedRequest remove() {
		PreparedRequest first = this.requests[this.head];
		if (first == null) {
			throw new IllegalStateException("nothing waits");
		}
		this.requests[this.head] = null;
		this.head = (this.head + 1) % this.requests.length;
		this.size--;
		return first;
	}

}
