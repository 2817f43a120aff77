package io.gatewaybench.benchmark.engine;

/**
 * The bytes that came are not an HTTP/1.1 response.
 */
final class MalformedResponseException extends Exception {

	MalformedResponseException(String message) {
		super(message, null, false, false);
	}

}
