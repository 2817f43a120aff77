package io.gatewaybench.benchmark;

import java.time.Duration;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import io.gatewaybench.benchmark.load.DurationText;

/**
 * Reads {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h} and the ISO form
 * {@code PT30S}.
 */
final class DurationConverter implements ITypeConverter<Duration> {

	@Override
	public Duration convert(String value) {
		Duration duration = DurationText.parse(value);
		if (duration == null) {
			throw new TypeConversionException("'" + value + "' is not a duration: write 30s, 2m or PT30S");
		}
		return duration;
	}

}
