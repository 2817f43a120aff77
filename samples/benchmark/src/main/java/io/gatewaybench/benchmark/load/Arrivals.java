package io.gatewaybench.benchmark.load;

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
	POISSON,

	/**
	 * Equal distances at a rate that follows the {@link Stage#steps() steps} of the
	 * stage: ramps, ladders and bursts.
	 */
	STEPPED

}
