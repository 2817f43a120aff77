package io.gatewaybench.benchmark.failure;

import org.jspecify.annotations.Nullable;

/**
 * Something the user can act on; its message is the one line that the user gets to see.
 */
public final class BenchFailure extends RuntimeException {

	/**
	 * A failure without a cause worth showing.
	 * @param message what happened, with the name and the value, and what to do
	 */
	public BenchFailure(String message) {
		this(message, null);
	}

	/**
	 * A failure with a cause, which only {@code --verbose} shows.
	 * @param message what happened, with the name and the value, and what to do
	 * @param cause what it came from, or {@code null}
	 */
	public BenchFailure(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
