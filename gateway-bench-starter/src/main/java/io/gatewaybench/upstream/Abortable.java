package io.gatewaybench.upstream;

/**
 * What can be aborted: it takes too long, or its result is not needed any more.
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
