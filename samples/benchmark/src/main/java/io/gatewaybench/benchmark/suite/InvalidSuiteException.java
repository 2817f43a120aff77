package io.gatewaybench.benchmark.suite;

/**
 * A suite's file that can't be used; the message names the file, the line, the key, the
 * value and what to write instead.
 */
public final class InvalidSuiteException extends RuntimeException {

	InvalidSuiteException(String message) {
		super(message);
	}

}
