package io.gatewaybench.webflux;

import org.springframework.http.HttpStatus;

/**
 * Why a client did not send its request as it should. Its instances are shared, so none
 * remembers a request.
 */
final class ClientFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	static final ClientFailure BROKEN_OFF = new ClientFailure(HttpStatus.BAD_REQUEST,
			"The client did not send its request to the end");

	static final ClientFailure TOO_LARGE = new ClientFailure(HttpStatus.CONTENT_TOO_LARGE,
			"The body is too large for a method that seldom has one");

	static final ClientFailure TOO_SLOW = new ClientFailure(HttpStatus.REQUEST_TIMEOUT,
			"The client paused for too long while it sent its request");

	private final HttpStatus status;

	private ClientFailure(HttpStatus status, String message) {
		super(message, null, false, false);
		this.status = status;
	}

	HttpStatus status() {
		return this.status;
	}

}
