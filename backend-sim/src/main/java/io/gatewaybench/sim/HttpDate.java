package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.util.Date;

import io.netty.handler.codec.DateFormatter;

/**
 * The value of the {@code Date} field (RFC 9110, section 6.6.1), formatted once per
 * second.
 */
final class HttpDate {

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
					DateFormatter.format(new Date(second * 1000)).getBytes(StandardCharsets.US_ASCII));
		}

	}

}
