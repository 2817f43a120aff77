package io.gatewaybench.upstream;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The upstream broke off its response before any of it had left for the client; answered
 * with 502.
 *
 * @since 0.1.0
 */
public final class BrokenUpstreamException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param cause how the response broke off
	 */
	public BrokenUpstreamException(Throwable cause) {
		super(HttpStatus.BAD_GATEWAY, "The upstream broke off its response", cause);
	}

}
