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
	 * @param lab what to measure with
	 * @return what came out
	 */
	Outcome run(Lab lab) throws InterruptedException;

}
