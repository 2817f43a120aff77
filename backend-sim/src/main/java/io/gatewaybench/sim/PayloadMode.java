package io.gatewaybench.sim;

/**
 * How an endpoint comes by its response body.
 */
enum PayloadMode {

	/** Bytes made once at start from the seed, the same on every start. */
	PREPARED,

	/** Objects built and serialised for every request, as a real service does. */
	GENERATED

}
