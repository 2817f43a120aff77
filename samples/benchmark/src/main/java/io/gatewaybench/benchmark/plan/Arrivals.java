package io.gatewaybench.benchmark.plan;

/**
 * How the intended starts of an {@link Model#OPEN open} stage are spread.
 */
public enum Arrivals {

	/**
	 * Equal distances.
	 */
	CONSTANT,

	/**
	 * Exponentially distributed distances (a Poisson process), as many independent
	 * clients produce them.
	 */
	POISSON

}
