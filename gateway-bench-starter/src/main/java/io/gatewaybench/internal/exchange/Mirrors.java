package io.gatewaybench.internal.exchange;

import java.util.Map;
import java.util.function.BiConsumer;

import io.gatewaybench.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of the upstreams that have one.
 */
public final class Mirrors {

	/**
	 * No upstream has one.
	 */
	public static final Mirrors NONE = new Mirrors(Map.of());

	private final Map<String, Mirror> byUpstream;

	/**
	 * Create the mirrors.
	 * @param byUpstream by the name of the upstream whose requests they get, too
	 */
	public Mirrors(Map<String, Mirror> byUpstream) {
		this.byUpstream = Map.copyOf(byUpstream);
	}

	/**
	 * Choose whether a request goes to a mirror as well, once for all of its exchanges.
	 * @param exchange the exchange that has the request, which is not sent yet
	 * @param upstream the upstream that it goes to
	 * @return the mirror, {@code null} if the request does not go there
	 */
	public @Nullable Mirror choose(GatewayExchange exchange, Upstream upstream) {
		Mirror mirror = this.byUpstream.isEmpty() ? null : this.byUpstream.get(upstream.name());
		if (mirror == null || !exchange.outcome().mirrors() || !mirror.takes()) {
			return null;
		}
		exchange.mirror(mirror);
		return mirror;
	}

	/**
	 * Call something with each mirror and the name of the upstream that it belongs to.
	 * @param action what to call
	 */
	public void forEach(BiConsumer<String, Mirror> action) {
		this.byUpstream.forEach(action);
	}

}
