package io.gatewaybench.benchmark.load;

import org.jspecify.annotations.Nullable;

/**
 * A value that can't be used.
 */
public final class InvalidValueException extends IllegalArgumentException {

	private final String key;

	private final String value;

	private final String advice;

	private InvalidValueException(String key, String value, String advice) {
		super("%s is %s; %s".formatted(key, value, advice));
		this.key = key;
		this.value = value;
		this.advice = advice;
	}

	/**
	 * Throws unless a condition holds.
	 * @param holds the condition
	 * @param key the setting, after a dot if it belongs to another one
	 * @param value its value
	 * @param advice what to write instead
	 */
	public static void unless(boolean holds, String key, @Nullable Object value, String advice) {
		if (!holds) {
			String shown = (value instanceof CharSequence) ? "'" + value + "'" : String.valueOf(value);
			throw new InvalidValueException(key, shown, advice);
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
