package io.gatewaybench.benchmark.run;

import java.time.Duration;

/**
 * Lets loads that belong together begin at the same time.
 */
interface CommonStart {

	/**
	 * Waits until all of them begin.
	 * @param length how long what begins now takes at most
	 */
	void await(Duration length) throws InterruptedException;

	/**
	 * A load has failed. The others would wait for it forever, so they fail as well.
	 */
	void fail();

}
