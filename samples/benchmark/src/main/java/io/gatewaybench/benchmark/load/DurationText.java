package io.gatewaybench.benchmark.load;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them.
 */
public final class DurationText {

	/**
	 * What can be written, for messages.
	 */
	public static final String EXPECTED = "a duration such as 500ms, 30s, 2m or PT30S";

	private DurationText() {
	}

	/**
	 * Reads {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h} and the ISO form
	 * {@code PT30S}.
	 * @param value the text
	 * @return the duration, {@code null} if it is none
	 */
	public static @Nullable Duration parse(String value) {
		String text = value.strip().toLowerCase(Locale.ROOT);
		if (text.matches("[0-9]{1,9}ms")) {
			return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
		}
		try {
			return Duration.parse(text.matches("[0-9]{1,9}[smh]") ? "pt" + text : text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
