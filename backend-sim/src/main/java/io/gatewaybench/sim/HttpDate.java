package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The value of the {@code Date} field (RFC 9110, section 6.6.1), formatted once per
 * second.
 */
final class HttpDate {

	// RFC_1123_DATE_TIME writes days of one digit, the field needs two
	private static final DateTimeFormatter FORMAT = DateTimeFormatter
		.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static volatile Formatted last = Formatted.of(0);

	private HttpDate() {
	}

	/**
	 * Returns the current date; the bytes are shared and not to be changed.
	 */
	static byte[] now() {
		long second = Math.floorDiv(System.currentTimeMillis(), 1000L);
		Formatted formatted = last;
		if (formatted.second() != second) {
			formatted = Formatted.of(second);
			last = formatted;
		}
		return formatted.text();
	}

	private record Formatted(long second, byte[] text) {

		static Formatted of(long second) {
			return new Formatted(second,
					FORMAT.format(Instant.ofEpochSecond(second)).getBytes(StandardCharsets.US_ASCII));
		}

	}

}
