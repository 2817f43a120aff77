package io.gatewaybench.benchmark.selftest;

/**
 * Something with a known answer.
 */
interface Check {

	/**
	 * What is measured.
	 * @return a few words
	 */
	String title();

	/**
	 * Measures it.
	 * @param environment what to measure with
	 * @return what came out
	 */
	Outcome run(CheckEnvironment environment) throws InterruptedException;

}
