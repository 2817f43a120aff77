package io.gatewaybench.upstream;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * All upstreams of the gateway, by name. Immutable.
 *
 * @since 0.1.0
 */
public final class Upstreams {

	/**
	 * Scheme of a route's URI that names an upstream, as in {@code rr://service-a}.
	 */
	public static final String SCHEME = "rr";

	private final Map<String, Upstream> byName;

	/**
	 * Create the set of upstreams.
	 * @param upstreams the upstreams, each with a name of its own
	 */
	public Upstreams(Collection<? extends Upstream> upstreams) {
		this.byName = upstreams.stream().collect(Collectors.toUnmodifiableMap(Upstream::name, Function.identity()));
	}

	/**
	 * Whether a URI names an upstream instead of a host.
	 * @param uri a route's URI
	 * @return whether its scheme is {@code rr}
	 */
	public static boolean isUpstream(URI uri) {
		return SCHEME.equalsIgnoreCase(uri.getScheme());
	}

	/**
	 * Find the upstream that a URI names.
	 * @param uri a URI of the form {@code rr://name}
	 * @return the upstream
	 * @throws UpstreamException if there is none of that name
	 */
	public Upstream get(URI uri) {
		String name = uri.getHost();
		Upstream upstream = (name != null) ? this.byName.get(name) : null;
		if (upstream == null) {
			throw new UpstreamException(UpstreamFailure.NO_INSTANCE, "No upstream '%s': gateway-bench.upstreams has %s"
				.formatted(uri, new TreeSet<>(this.byName.keySet())), null);
		}
		return upstream;
	}

	/**
	 * Whether there is an upstream of a name.
	 * @param name the name
	 * @return whether it is known
	 */
	public boolean contains(@Nullable String name) {
		return name != null && this.byName.containsKey(name);
	}

	/**
	 * Look up the instances of those upstreams that have a lookup, wait up to 5 seconds
	 * for them, and go on at intervals, in other threads.
	 * @param interval time between two lookups of an upstream
	 * @return what ends the lookups, {@code null} if no upstream has one
	 */
	public @Nullable Runnable discover(Duration interval) {
		return InstanceDiscovery.start(this, interval.toMillis());
	}

	/**
	 * All upstreams.
	 * @return the upstreams, unordered
	 */
	public Collection<Upstream> all() {
		return this.byName.values();
	}

	/**
	 * Names of all upstreams.
	 * @return the names, unordered
	 */
	public Set<String> names() {
		return this.byName.keySet();
	}

}
