package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * A value that can't be used.
 */
public final class InvalidValueException extends IllegalArgumentException {

	private final String key;

	private final String value;

	private final String advice;

	/**
	 * Names the value and what to do.
	 * @param key the setting, after a dot if it belongs to another one
	 * @param value the value
	 * @param advice what to write instead
	 */
	public InvalidValueException(String key, @Nullable Object value, String advice) {
		super("%s is %s; %s".formatted(key, shown(value), advice));
		this.key = key;
		this.value = shown(value);
		this.advice = advice;
	}

	private static String shown(@Nullable Object value) {
		return (value instanceof CharSequence) ? "'" + value + "'" : String.valueOf(value);
	}

	/**
	 * Throws unless a condition holds.
	 * @param holds the condition
	 * @param key the setting
	 * @param value its value
	 * @param advice what to write instead
	 */
	public static void unless(boolean holds, String key, @Nullable Object value, String advice) {
		if (!holds) {
			throw new InvalidValueException(key, value, advice);
		}
	}

	/**
	 * The setting.
	 * @return its name
	 */
	public String key() {
		return this.key;
	}

	/**
	 * The value as messages show it.
	 * @return a text, in quotes if the value is one
	 */
	public String value() {
		return this.value;
	}

	/**
	 * What to do.
	 * @return such as {@code choose 1 or more}
	 */
	public String advice() {
		return this.advice;
	}

}
