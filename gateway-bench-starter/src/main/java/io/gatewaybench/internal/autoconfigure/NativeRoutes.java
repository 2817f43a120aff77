package io.gatewaybench.internal.autoconfigure;

import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.gatewaybench.internal.Spelling;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.upstream.Upstreams;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks native routes at the start: that they lead to upstreams that exist, and that
 * their prefix is stripped once.
 */
public final class NativeRoutes {

	private static final Log logger = LogFactory.getLog(NativeRoutes.class);

	private static final String STRIPPING_FILTER = "StripPrefix";

	private NativeRoutes() {
	}

	/**
	 * Check the URI of a route.
	 * @param property name of the property with the URI
	 * @param uri the URI, of any scheme
	 * @param upstreams the upstreams that exist
	 * @throws InvalidConfigurationPropertyValueException if the URI names an upstream
	 * that does not exist, or has more than its name
	 */
	public static void check(String property, @Nullable URI uri, Upstreams upstreams) {
		if (uri == null || !Upstreams.isUpstream(uri)) {
			return;
		}
		String value = Spelling.withoutSecrets(uri);
		if (!upstreams.contains(uri.getHost())) {
			throw unknown(property, value, upstreams.names());
		}
		boolean more = !uri.getHost().equals(uri.getRawAuthority()) || uri.getRawQuery() != null
				|| uri.getRawFragment() != null || !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
		if (more) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"Write '%s://%s' alone. The instances of the upstream have the ports, and path and query come from the request."
						.formatted(Upstreams.SCHEME, uri.getHost()));
		}
	}

	/**
	 * Check the filters of a route.
	 * @param route id of the route
	 * @param filters names of its filters
	 * @param scope what every route has
	 */
	public static void warnIfStrippedTwice(@Nullable String route, Stream<String> filters, FeatureScope scope) {
		if (scope.everyRoute() && !scope.enabled().upstreamPath("/a/b").equals("/a/b")
				&& filters.anyMatch(STRIPPING_FILTER::equalsIgnoreCase)) {
			logger.warn(
					("Route '%s' loses its prefix twice: once by its own filter %s, and then by gateway-bench, because"
							+ " gateway-bench.scope is all. Remove the filter from the route, or set"
							+ " gateway-bench.strip-prefix.enabled to false.")
						.formatted(route, STRIPPING_FILTER));
		}
	}

	public static InvalidConfigurationPropertyValueException unknown(String property, Object value,
			Set<String> upstreams) {
		String others = upstreams.isEmpty() ? "which has none yet."
				: "or use one of %s.".formatted(new TreeSet<>(upstreams));
		return new InvalidConfigurationPropertyValueException(property, value,
				"There is no upstream of this name. Add it to 'gateway-bench.upstreams', " + others);
	}

}
