package io.gatewaybench.benchmark.threshold;

/**
 * A condition that can't be read. Its message has several lines: where the condition is
 * written, the condition, a caret under the place that is wrong, and what to write
 * instead.
 */
public final class InvalidThresholdException extends RuntimeException {

	/**
	 * Shows a place in a condition.
	 * @param source where the condition is written, such as {@code --fail-if}
	 * @param condition the condition
	 * @param position the place, from 0 to the length of the condition
	 * @param advice what is wrong, and what to write
	 */
	InvalidThresholdException(String source, String condition, int position, String advice) {
		super("%s is wrong at character %d:%n  %s%n  %s^%n%s".formatted(source, position + 1,
				// One character for each, or the caret would be under another place
				condition.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", " ").stripTrailing(),
				" ".repeat(position), advice));
	}

}
