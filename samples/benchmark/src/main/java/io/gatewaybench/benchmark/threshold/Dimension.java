package io.gatewaybench.benchmark.threshold;

/**
 * What a value measures. Only values of the same one can be compared and added.
 *
 * @param time the power of time: 1 for a time, -1 for a rate
 * @param memory the power of memory
 */
record Dimension(int time, int memory) {

	static final Dimension NUMBER = new Dimension(0, 0);

	static final Dimension TIME = new Dimension(1, 0);

	static final Dimension RATE = new Dimension(-1, 0);

	static final Dimension MEMORY = new Dimension(0, 1);

	Dimension times(Dimension other) {
		return new Dimension(this.time + other.time, this.memory + other.memory);
	}

	Dimension dividedBy(Dimension other) {
		return new Dimension(this.time - other.time, this.memory - other.memory);
	}

	/**
	 * In words, such as {@code a time}.
	 */
	String words() {
		if (equals(NUMBER)) {
			return "a plain number";
		}
		if (equals(TIME)) {
			return "a time";
		}
		if (equals(RATE)) {
			return "a rate";
		}
		return equals(MEMORY) ? "an amount of memory" : "time^" + this.time + " * memory^" + this.memory;
	}

}
