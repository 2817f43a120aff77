package io.gatewaybench.upstream;

import java.util.List;

/**
 * Chooses the instance of an upstream that takes a request. A bean of this type takes the
 * place of {@code gateway-bench.load-balancing.policy} for all upstreams. Ejection,
 * health checks and retries work as before: an instance that is out is no candidate.
 *
 * <p>
 * It is called once for each request by many threads at a time, so it must be fast, and
 * safe for that.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface InstanceChooser {

	/**
	 * Choose an instance.
	 * @param candidates the instances that take requests, at least one, each as often as
	 * its weight says in relation to the others; immutable
	 * @return the index of the one that takes the request
	 */
	int choose(List<? extends Candidate> candidates);

	/**
	 * An instance that takes requests.
	 */
	interface Candidate {

		/**
		 * Where it is.
		 * @return the instance
		 */
		Instance instance();

		/**
		 * Its share of the requests in relation to the other instances.
		 * @return the weight, from 1 to {@value Upstream#MAX_WEIGHT}
		 */
		int weight();

		/**
		 * How many requests this gateway has sent to it that are not answered yet.
		 * @return the number, which other threads change all the time
		 */
		int requests();

	}

}
