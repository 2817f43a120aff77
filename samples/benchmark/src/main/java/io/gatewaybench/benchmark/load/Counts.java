package io.gatewaybench.benchmark.load;

/**
 * What became of every request that was to be sent; each is counted once as intended and
 * once as one of the others.
 *
 * @param intended requests that were to start
 * @param ok successful responses
 * @param httpError complete responses with an unexpected status
 * @param timeout requests without a complete response in time
 * @param refused requests whose connection was refused, or not open in time
 * @param reset requests whose connection was reset, ended before the response was
 * complete, or brought something that is not HTTP/1.1
 * @param wrongBody complete responses with the expected status and a body that is too
 * short or has not the {@code _gateway} field that was expected
 * @param aborted requests the generator gave up: no room to wait, end of the drain, or
 * the run was cancelled
 */
public record Counts(long intended, long ok, long httpError, long timeout, long refused, long reset, long wrongBody,
		long aborted) {

	/**
	 * No request.
	 */
	public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

	/**
	 * Whether every intended request is accounted for; a result where it is not must not
	 * be used.
	 * @return {@code intended = ok + failed}
	 */
	public boolean balanced() {
		return this.intended == this.ok + failed();
	}

	/**
	 * Requests that did not end right.
	 * @return the sum of all but intended and ok
	 */
	public long failed() {
		return this.httpError + this.timeout + this.refused + this.reset + this.wrongBody + this.aborted;
	}

	/**
	 * The sum of two.
	 * @param other the other
	 * @return the sum, field by field
	 */
	public Counts plus(Counts other) {
		return new Counts(this.intended + other.intended, this.ok + other.ok, this.httpError + other.httpError,
				this.timeout + other.timeout, this.refused + other.refused, this.reset + other.reset,
				this.wrongBody + other.wrongBody, this.aborted + other.aborted);
	}

}
