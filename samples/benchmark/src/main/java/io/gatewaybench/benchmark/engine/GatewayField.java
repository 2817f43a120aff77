package io.gatewaybench.benchmark.engine;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Checks that a JSON body ends with the {@code _gateway} field a gateway was to add, from
 * the last bytes alone: what follows the field is one closing brace, so the field is the
 * last member of the top-level object if the body is JSON at all.
 */
final class GatewayField {

	private static final byte[] NAME = ascii("\"_gateway\"");

	private static final byte[] TYPE = ascii("\"type\"");

	private static final byte[] TIMESTAMP = ascii("\"timestamp\"");

	private static final byte[] PROCESSED = ascii("\"processed\"");

	private static final byte[] TRUE = ascii("true");

	private static final long TOLERANCE_MILLIS = TimeUnit.MINUTES.toMillis(5);

	private static final String MISSING = "the body does not end with the _gateway field";

	private final BodyTail body;

	private int position;

	GatewayField(BodyTail body) {
		this.body = body;
	}

	/**
	 * Checks the body.
	 * @param type the expected gateway type
	 * @param nowMillis the time, in milliseconds since the epoch
	 * @return what is wrong, {@code null} if nothing
	 */
	@Nullable String problem(byte[] type, long nowMillis) {
		if (!findName() || !token(':') || !token('{') || !text(TYPE) || !token(':') || !token('"')) {
			return MISSING;
		}
		if (!rawText(type) || !rawText('"')) {
			return "the _gateway field is not of type " + new String(type, StandardCharsets.US_ASCII);
		}
		if (!token(',') || !text(TIMESTAMP) || !token(':')) {
			return MISSING;
		}
		long timestamp = number();
		if (!token(',') || !text(PROCESSED) || !token(':') || !text(TRUE) || !token('}') || !token('}') || !atEnd()) {
			return MISSING;
		}
		if (Math.abs(nowMillis - timestamp) > TOLERANCE_MILLIS) {
			return "the timestamp of the _gateway field, %d, is more than 5 minutes off".formatted(timestamp);
		}
		return null;
	}

	/**
	 * Goes behind the last occurrence of the name that can begin a member.
	 */
	private boolean findName() {
		for (int start = this.body.length() - NAME.length; start > 0; start--) {
			this.position = start;
			if (this.body.at(start) == '"' && rawText(NAME)) {
				int before = start - 1;
				while (before > 0 && isSpace(this.body.at(before))) {
					before--;
				}
				return this.body.at(before) == ',' || this.body.at(before) == '{';
			}
		}
		return false;
	}

	private boolean token(char expected) {
		skipSpace();
		return rawText(expected);
	}

	private boolean text(byte[] expected) {
		skipSpace();
		return rawText(expected);
	}

	private boolean rawText(char expected) {
		if (this.position < this.body.length() && this.body.at(this.position) == expected) {
			this.position++;
			return true;
		}
		return false;
	}

	private boolean rawText(byte[] expected) {
		if (this.position + expected.length > this.body.length()) {
			return false;
		}
		for (int i = 0; i < expected.length; i++) {
			if (this.body.at(this.position + i) != expected[i]) {
				return false;
			}
		}
		this.position += expected.length;
		return true;
	}

	private long number() {
		skipSpace();
		long value = 0;
		while (this.position < this.body.length() && isDigit(this.body.at(this.position))
				&& value < Long.MAX_VALUE / 100) {
			value = value * 10 + this.body.at(this.position++) - '0';
		}
		return value;
	}

	private boolean atEnd() {
		skipSpace();
		return this.position == this.body.length();
	}

	private void skipSpace() {
		while (this.position < this.body.length() && isSpace(this.body.at(this.position))) {
			this.position++;
		}
	}

	private static boolean isSpace(byte value) {
		return value == ' ' || value == '\n' || value == '\r' || value == '\t';
	}

	private static boolean isDigit(byte value) {
		return value >= '0' && value <= '9';
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
