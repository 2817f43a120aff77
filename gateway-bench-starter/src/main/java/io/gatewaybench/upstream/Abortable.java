package io.gatewaybench.upstream;

/**
 * What can be aborted when it takes too long, or when nobody waits for it any more.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Abortable {

	/**
	 * Abort it, unless it has ended. Called by a thread that must not be blocked.
	 */
	void abort();

}
