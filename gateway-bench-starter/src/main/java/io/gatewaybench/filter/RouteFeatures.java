package io.gatewaybench.filter;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The features that one route, or one request on it, has. Immutable and shared by all
 * requests of the route.
 *
 * @since 0.1.0
 */
public final class RouteFeatures {

	/**
	 * No feature at all.
	 */
	public static final RouteFeatures NONE = new RouteFeatures(0, 0);

	private final int features;

	private final int stripParts;

	private RouteFeatures(int features, int stripParts) {
		this.features = features;
		this.stripParts = stripParts;
	}

	/**
	 * Create a set of features.
	 * @param features the features
	 * @param stripParts how many segments {@link Feature#STRIP_PREFIX} drops; 0 or more
	 * @return the set
	 */
	public static RouteFeatures of(Set<Feature> features, int stripParts) {
		int mask = 0;
		for (Feature feature : features) {
			mask |= bit(feature);
		}
		return new RouteFeatures(mask, stripParts);
	}

	/**
	 * Whether the feature is among them.
	 * @param feature the feature
	 * @return whether the request gets it
	 */
	public boolean has(Feature feature) {
		return (this.features & bit(feature)) != 0;
	}

	/**
	 * Whether there is no feature at all.
	 * @return whether the request passes as without the starter
	 */
	public boolean isEmpty() {
		return this.features == 0;
	}

	/**
	 * Add what a filter asked for by name.
	 * @param requested features to add
	 * @param enabled what is on, and how many segments are stripped where that is added
	 * @return a set with those that are on
	 */
	public RouteFeatures plus(RouteFeatures requested, RouteFeatures enabled) {
		int sum = this.features | (requested.features & enabled.features);
		if (sum == this.features) {
			return this;
		}
		return new RouteFeatures(sum, has(Feature.STRIP_PREFIX) ? this.stripParts : enabled.stripParts);
	}

	/**
	 * Collect a feature that a filter asks for by name.
	 * @param requested what other filters of the route have asked for, or {@code null}
	 * @param feature the feature to add
	 * @return all that was asked for
	 */
	public static RouteFeatures request(@Nullable RouteFeatures requested, Feature feature) {
		return new RouteFeatures(((requested != null) ? requested.features : 0) | bit(feature), 0);
	}

	/**
	 * Set how many segments are dropped.
	 * @param parts the number of segments, 0 or more
	 * @return the same features with that number
	 */
	public RouteFeatures strippingParts(int parts) {
		return new RouteFeatures(this.features, parts);
	}

	/**
	 * Path that the upstream sees.
	 * @param rawPath encoded path of the request
	 * @return the path without the segments to drop, starting with a slash
	 */
	public String upstreamPath(String rawPath) {
		String path = has(Feature.STRIP_PREFIX) ? PathPrefix.strip(rawPath, this.stripParts) : rawPath;
		return path.isEmpty() ? "/" : path;
	}

	/**
	 * Path that the upstream sees, where the application has a base path. Routes begin
	 * after it, and so does the prefix to strip.
	 * @param rawPath encoded path of the request
	 * @param basePath encoded base path, empty if there is none
	 * @return the path without the base path and the segments to drop, or the whole path
	 * where no segment is dropped
	 */
	public String upstreamPath(String rawPath, String basePath) {
		boolean inside = !basePath.isEmpty() && this.stripParts > 0 && has(Feature.STRIP_PREFIX)
				&& rawPath.startsWith(basePath);
		return upstreamPath(inside ? rawPath.substring(basePath.length()) : rawPath);
	}

	private static int bit(Feature feature) {
		return 1 << feature.ordinal();
	}

}
