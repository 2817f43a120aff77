package io.gatewaybench.internal.rewrite;

import java.util.Objects;
import java.util.regex.Pattern;

import io.gatewaybench.internal.Spelling;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;

/**
 * What is added to a body, and how.
 *
 * @param field the key of the member: 1 to 64 of the ASCII letters and digits, {@code _},
 * {@code -}, {@code .} and {@code $}, so that it is the same bytes in JSON
 * @param engine the way to add it
 * @param maxBufferSize how much of one body may be held, in bytes, at least 1
 * @param metadata the value of the member
 */
public record RewriteSettings(String field, Engine engine, long maxBufferSize, GatewayMetadata metadata) {

	private static final Pattern LEGAL_FIELD = Pattern.compile("[A-Za-z0-9_.$-]{1,64}");

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException if the field is not a legal key or the limit is
	 * below 1; the message names the setting, its value and what is legal
	 */
	public RewriteSettings {
		Objects.requireNonNull(engine, "engine");
		Objects.requireNonNull(metadata, "metadata");
		if (!LEGAL_FIELD.matcher(field).matches()) {
			throw new IllegalArgumentException(
					"field must be 1 to 64 of the letters a-z and A-Z, digits, '_', '-', '.' and '$' but was "
							+ Spelling.json(field));
		}
		if (maxBufferSize < 1) {
			throw new IllegalArgumentException("max-buffer-size must be at least 1 byte but was " + maxBufferSize);
		}
	}

}
