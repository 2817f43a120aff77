package io.gatewaybench.benchmark.observe;

import java.util.List;

/**
 * Looks at one target while it is measured, and yields figures. What it takes must be
 * small: a look of 1 ms per second is 0.1 % of a core. A target that is gone costs a
 * figure, never the run, so no method throws.
 */
public interface Probe extends AutoCloseable {

	/**
	 * A measurement begins.
	 */
	void begin();

	/**
	 * Another second of it is over.
	 */
	void second();

	/**
	 * The measurement is over.
	 * @return what was seen since it began, without what is not known
	 */
	List<Figure> end();

	@Override
	void close();

	/**
	 * A figure.
	 *
	 * @param name what reports call it; each probe has names of its own
	 * @param unit such as {@code MiB}, empty for a number of things
	 * @param value the value
	 */
	record Figure(String name, String unit, double value) {
	}

}
