package io.gatewaybench.internal.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What {@code Connection} names (RFC 9110, section 7.6.1). The headers among it end at
 * the gateway, before any filter adds a header of the same name for the upstream.
 *
 * @param named names in small letters of the headers that end here
 * @param own what is left for {@code Connection}: what the gateway reads itself
 */
public record ConnectionOptions(List<String> named, String own) {

	/**
	 * Headers that end here although {@code Connection} need not name them: what clients
	 * send that take the gateway for a proxy of old (RFC 9113, section 8.2.2), or that
	 * offer another protocol.
	 */
	public static final List<String> UNNAMED = List.of("Proxy-Connection", "HTTP2-Settings");

	private static final ConnectionOptions NONE = new ConnectionOptions(List.of(), "");

	/**
	 * Options that name no header, and headers that the gateway reads itself: without
	 * them, the message would have another end or another receiver.
	 */
	private static final Set<String> OWN = Set.of("close", "connection", "content-length", "expect", "host",
			"http2-settings", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

	/**
	 * Read the options of a request.
	 * @param lines the lines of {@code Connection}, {@code null} if there is none
	 * @return the options; those of nearly all requests name no header, and are shared
	 */
	public static ConnectionOptions of(@Nullable List<String> lines) {
		if (lines == null || (lines.size() == 1 && OWN.contains(lines.get(0)))) {
			return NONE;
		}
		List<String> named = new ArrayList<>();
		lines.forEach((line) -> HeaderSyntax.addElements(line, named));
		List<String> own = named.stream().filter(OWN::contains).toList();
		named.removeAll(OWN);
		return named.isEmpty() ? NONE : new ConnectionOptions(named, String.join(", ", own));
	}

}
