package io.gatewaybench.upstream;

import org.jspecify.annotations.Nullable;

/**
 * How the instance of an upstream is chosen.
 *
 * @since 0.1.0
 */
public enum LoadBalancingPolicy {

	/**
	 * One instance after the other, each as often as its weight says.
	 */
	ROUND_ROBIN(null),

	/**
	 * Of two instances at random, the one with fewer requests on their way in relation to
	 * its weight. A slow instance gets fewer requests than the others.
	 */
	LEAST_REQUESTS(new LeastRequests());

	private final @Nullable InstanceChooser chooser;

	LoadBalancingPolicy(@Nullable InstanceChooser chooser) {
		this.chooser = chooser;
	}

	/**
	 * What chooses by this policy.
	 * @return the chooser, {@code null} for turns
	 */
	public @Nullable InstanceChooser chooser() {
		return this.chooser;
	}

}
