package io.gatewaybench.benchmark.threshold;

import org.jspecify.annotations.Nullable;

/**
 * A condition that can't be read. Its message has three lines: where the condition is
 * written, the condition, and what to write instead.
 */
public final class InvalidThresholdException extends RuntimeException {

	/**
	 * Says what is wrong.
	 * @param source where the condition is written, such as {@code --fail-if}
	 * @param condition the condition
	 * @param advice what is wrong, and what to write
	 */
	InvalidThresholdException(String source, String condition, @Nullable String advice) {
		// A terminal would obey control characters
		super("%s is wrong:%n  %s%n%s.".formatted(source,
				condition.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", " ").stripTrailing(), advice));
	}

}
