package io.gatewaybench.internal.exchange;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * How long a client of gRPC waits for its call: up to eight digits and a unit.
 *
 * @see <a href= "https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC
 * over HTTP2</a>
 */
public final class GrpcTimeout {

	/**
	 * The header that has it.
	 */
	public static final String HEADER = "grpc-timeout";

	private static final int MOST_DIGITS = 8;

	private static final Duration LONGEST = Duration.ofDays(1);

	private GrpcTimeout() {
	}

	/**
	 * Read the value of the header.
	 * @param value the value, {@code null} if there is none
	 * @return the time, {@code null} if it is longer than a day, or the value is none, or
	 * zero: the upstream gets it as it is, and judges
	 */
	public static @Nullable Duration parse(@Nullable String value) {
		int digits = (value != null) ? value.length() - 1 : 0;
		if (value == null || digits < 1 || digits > MOST_DIGITS) {
			return null;
		}
		ChronoUnit unit = unit(value.charAt(digits));
		int amount = 0;
		for (int i = 0; i < digits; i++) {
			int digit = value.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				return null;
			}
			amount = 10 * amount + digit;
		}
		if (unit == null || amount == 0) {
			return null;
		}
		Duration timeout = Duration.of(amount, unit);
		return (timeout.compareTo(LONGEST) <= 0) ? timeout : null;
	}

	private static @Nullable ChronoUnit unit(char unit) {
		return switch (unit) {
			case 'H' -> ChronoUnit.HOURS;
			case 'M' -> ChronoUnit.MINUTES;
			case 'S' -> ChronoUnit.SECONDS;
			case 'm' -> ChronoUnit.MILLIS;
			case 'u' -> ChronoUnit.MICROS;
			case 'n' -> ChronoUnit.NANOS;
			default -> null;
		};
	}

}
