package io.gatewaybench.internal.upstream;

/**
 * What can be aborted: it takes too long, or its result is not needed any more.
 */
@FunctionalInterface
public interface Abortable {

	/**
	 * Abort it, unless it has ended. Called by a thread that must not be blocked.
	 */
	void abort();

}
