package io.gatewaybench.sim;

/**
 * A profile that can't be used; the message names the file, the line, the key, the value
 * and what is expected.
 */
final class ProfileException extends Exception {

	ProfileException(String message) {
		super(message);
	}

}
