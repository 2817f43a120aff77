package io.gatewaybench.benchmark.load;

/**
 * What decides when the next request starts.
 *
 * @see <a href="https://www.usenix.org/legacy/event/nsdi06/tech/schroeder.html">Open
 * versus closed: a cautionary tale (NSDI 2006)</a>
 */
public enum Model {

	/**
	 * Requests start by a schedule that does not wait for answers; the only model whose
	 * latency can be compared between targets.
	 */
	OPEN,

	/**
	 * A fixed number of users, each of which starts its next request when its answer is
	 * complete; a slow target is asked less often, so latency is service time only.
	 */
	CLOSED

}
