package io.gatewaybench.benchmark.plan;

/**
 * The part of a load that one of several hosts sends. Request {@code k} and user
 * {@code k} of the whole load, from 0, belong to segment {@code k mod count + 1}, so all
 * segments together are the whole load.
 *
 * @param number which one, from 1
 * @param count how many there are
 */
public record Segment(int number, int count) {

	/**
	 * The whole load, on one host.
	 */
	public static final Segment WHOLE = new Segment(1, 1);

	private static final int MOST = 1_000;

	/**
	 * Checks the values.
	 * @throws InvalidValueException if there is no such segment
	 */
	public Segment {
		InvalidValueException.unless(count >= 1 && count <= MOST && number >= 1 && number <= count, "segment",
				number + "/" + count, "write 1/5 to 5/5 for five hosts, and so on up to " + MOST);
	}

	/**
	 * Whether one host sends the whole load.
	 * @return whether there is no other segment
	 */
	public boolean alone() {
		return this.count == 1;
	}

	/**
	 * Whether a request or a user belongs to it.
	 * @param index which one of the whole load, from 0
	 * @return whether this host sends it
	 */
	public boolean has(long index) {
		return index % this.count == this.number - 1;
	}

	/**
	 * Which one of the whole load it is.
	 * @param index which one of this segment, from 0
	 * @return its index in the whole load, from 0
	 */
	public long whole(long index) {
		return index * this.count + this.number - 1;
	}

	/**
	 * How many of the first ones belong to it.
	 * @param total how many there are in the whole load
	 * @return how many of them this host has
	 */
	public int share(int total) {
		return (total - this.number + this.count) / this.count;
	}

	@Override
	public String toString() {
		return this.number + "/" + this.count;
	}

}
