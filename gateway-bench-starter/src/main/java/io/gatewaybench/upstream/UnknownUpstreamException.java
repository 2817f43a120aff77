package io.gatewaybench.upstream;

import java.net.URI;
import java.util.Collection;
import java.util.TreeSet;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * A route leads to an upstream that is not configured; answered with 503.
 *
 * @since 0.1.0
 */
public final class UnknownUpstreamException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param uri URI of the route
	 * @param known names of the upstreams that are configured
	 */
	public UnknownUpstreamException(URI uri, Collection<String> known) {
		super(HttpStatus.SERVICE_UNAVAILABLE,
				"No upstream '%s': gateway-bench.upstreams has %s".formatted(uri, new TreeSet<>(known)));
	}

}
