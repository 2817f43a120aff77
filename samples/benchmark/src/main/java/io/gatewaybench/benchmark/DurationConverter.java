package io.gatewaybench.benchmark;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h} and the ISO form
 * {@code PT30S}.
 */
final class DurationConverter implements ITypeConverter<Duration> {

	private static final Pattern SIMPLE = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

	@Override
	public Duration convert(String value) {
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
		catch (DateTimeParseException ex) {
			throw new TypeConversionException("'" + value + "' is not a duration: write 30s, 2m or PT30S");
		}
	}

}
