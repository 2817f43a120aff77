package io.gatewaybench.benchmark.merge;

/**
 * Results that can't be put together.
 */
public final class InvalidSegmentsException extends RuntimeException {

	InvalidSegmentsException(String message) {
		super(message);
	}

}
