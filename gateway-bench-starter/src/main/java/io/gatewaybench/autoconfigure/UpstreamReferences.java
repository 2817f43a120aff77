package io.gatewaybench.autoconfigure;

import java.net.URI;
import java.util.TreeSet;

import io.gatewaybench.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks at the start that native routes lead to upstreams that exist.
 *
 * @since 0.1.0
 */
public final class UpstreamReferences {

	private UpstreamReferences() {
	}

	/**
	 * Check the URI of a route.
	 * @param property name of the property with the URI
	 * @param uri the URI, of any scheme
	 * @param upstreams the upstreams that exist
	 * @throws InvalidConfigurationPropertyValueException if the URI names an upstream
	 * that does not exist
	 */
	public static void check(String property, @Nullable URI uri, Upstreams upstreams) {
		if (uri != null && Upstreams.isUpstream(uri) && !upstreams.contains(uri.getHost())) {
			throw unknown(property, uri, upstreams);
		}
	}

	static InvalidConfigurationPropertyValueException unknown(String property, Object value, Upstreams upstreams) {
		String others = upstreams.names().isEmpty() ? "which has none yet."
				: "or use one of %s.".formatted(new TreeSet<>(upstreams.names()));
		return new InvalidConfigurationPropertyValueException(property, value,
				"There is no upstream of this name. Add it to 'gateway-bench.upstreams', " + others);
	}

}
