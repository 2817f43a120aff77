package io.gatewaybench.benchmark.suite;

/**
 * What serves a request in the gateway.
 */
public enum Threads {

	/**
	 * Platform threads: event loops or Tomcat's pool.
	 */
	PLATFORM,

	/**
	 * One virtual thread per request.
	 */
	VIRTUAL

}
