package io.gatewaybench.benchmark.report;

/**
 * What stands in one place of a table.
 *
 * @param text the figure or the name
 * @param detail what stands in parentheses behind it, such as a ratio; empty for nothing
 */
record Cell(String text, String detail) {

	static final Cell UNKNOWN = of(Figures.UNKNOWN);

	static Cell of(String text) {
		return new Cell(text, "");
	}

	/**
	 * All of it in one line.
	 */
	String line() {
		return (this.text + (this.detail.isEmpty() ? "" : " (" + this.detail + ")")).strip();
	}

}
