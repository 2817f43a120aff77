package io.gatewaybench.benchmark.run;

import java.time.Duration;

/**
 * Lets loads that belong together begin at the same time.
 */
@FunctionalInterface
interface CommonStart {

	/**
	 * This host is alone.
	 */
	CommonStart NOW = (length) -> {
	};

	/**
	 * Waits until all of them begin.
	 * @param length how long what begins now takes at most
	 */
	void await(Duration length) throws InterruptedException;

}
