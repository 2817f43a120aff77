package io.gatewaybench.internal.filter;

import io.gatewaybench.filter.RouteFeatures;
import org.jspecify.annotations.Nullable;

/**
 * Which features are on, and which of them a route has that did not say.
 *
 * @param enabled every feature that is on
 * @param everyRoute whether a route that is not the starter's own has them all
 */
public record FeatureScope(RouteFeatures enabled, boolean everyRoute) {

	/**
	 * Features of a request.
	 * @param declared features of its route, or {@code null} for a route that is not the
	 * starter's own
	 * @param requested features that filters of the route asked for by name, or
	 * {@code null} if none did
	 * @return all of them, except those that are off
	 */
	public RouteFeatures resolve(@Nullable RouteFeatures declared, @Nullable RouteFeatures requested) {
		RouteFeatures features = (declared != null) ? declared : undeclared();
		return (requested != null) ? features.plus(requested, this.enabled) : features;
	}

	private RouteFeatures undeclared() {
		return this.everyRoute ? this.enabled : RouteFeatures.NONE;
	}

}
