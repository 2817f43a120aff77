package io.gatewaybench.benchmark.load;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them.
 */
public final class DurationText {

	/**
	 * What can be written, for messages.
	 */
	public static final String EXPECTED = "a duration such as 500ms, 30s, 2m or PT30S";

	private static final Pattern SIMPLE = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

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
		Matcher simple = SIMPLE.matcher(text);
		if (simple.matches()) {
			long amount = Long.parseLong(simple.group(1));
			return switch (simple.group(2)) {
				case "ms" -> Duration.ofMillis(amount);
				case "s" -> Duration.ofSeconds(amount);
				case "m" -> Duration.ofMinutes(amount);
				default -> Duration.ofHours(amount);
			};
		}
		try {
			return Duration.parse(text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
