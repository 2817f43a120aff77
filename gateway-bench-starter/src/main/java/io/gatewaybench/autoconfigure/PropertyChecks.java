package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/**
 * Refuses a value with the name of the property, the value and what to write instead.
 */
final class PropertyChecks {

	static final Duration MAX_TIMEOUT = Duration.ofHours(24);

	private PropertyChecks() {
	}

	static Duration checkTimeout(String property, Duration timeout) {
		if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0
				|| (!timeout.isZero() && timeout.toMillis() == 0)) {
			throw invalid(property, timeout, "A timeout is from 1ms to 24h, or 0 to wait for ever.");
		}
		return timeout;
	}

	static void positive(String property, int value, String reason) {
		if (value < 1) {
			throw invalid(property, value, reason);
		}
	}

	static String required(String property, @Nullable String value, String reason) {
		if (!StringUtils.hasText(value)) {
			throw invalid(property, value, reason);
		}
		return value;
	}

	static <T> T check(String property, @Nullable Object value, Supplier<T> setting) {
		try {
			return setting.get();
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			throw invalid(property, value, StringUtils.capitalize(String.valueOf(ex.getMessage())) + ".");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(property, value, reason);
	}

}
