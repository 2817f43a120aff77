package io.gatewaybench.upstream;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * All connections to the upstream were in use, and none became free in time; answered
 * with 503. The upstream has seen nothing of the request.
 *
 * @since 0.1.0
 */
public final class NoConnectionException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param cause what the client's pool of connections reported
	 */
	public NoConnectionException(Throwable cause) {
		super(HttpStatus.SERVICE_UNAVAILABLE, "No connection to the upstream became free in time", cause);
	}

}
