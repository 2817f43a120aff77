package io.gatewaybench.benchmark.selftest;

/**
 * Something with a known answer.
 */
@FunctionalInterface
interface Check {

	/**
	 * Measures it.
	 * @param environment what to measure with
	 * @return what came out
	 */
	Outcome run(CheckEnvironment environment) throws InterruptedException;

}
