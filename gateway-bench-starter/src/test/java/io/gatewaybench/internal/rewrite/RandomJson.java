package io.gatewaybench.internal.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Valid JSON in every spelling the grammar has, decided by a seed.
 */
final class RandomJson {

	private static final String[] KEYS = { "_gateway", "\\u005fgateway", "_gatewa\\u0079", "_gatewa", "_gateways", "a",
			"b", "", "0123456789" };

	private static final String[] TEXT = { "a", " ", "0123456", "}", "[", ":", ",", "'", "/", "\u007f", "é", "€", "😀",
			"\uffff", "\\\"", "\\\\", "\\/", "\\b", "\\n", "\\u0000", "\\u00E9", "\\uD83D\\uDE00", "\\ud800",
			"\u2028" };

	private static final String[] SPACE = { " ", "\n", "\r\n", "\t", "    ", "\n          " };

	private final SplittableRandom random;

	private final StringBuilder json = new StringBuilder();

	RandomJson(long seed) {
		this.random = new SplittableRandom(seed);
	}

	byte[] object() {
		space();
		object(0);
		space();
		return this.json.toString().getBytes(StandardCharsets.UTF_8);
	}

	private void object(int depth) {
		this.json.append('{');
		space();
		for (int i = this.random.nextInt(5); i > 0; i--) {
			this.json.append('"');
			if (this.random.nextInt(4) > 0) {
				this.json.append(pick(KEYS));
			}
			else {
				text();
			}
			this.json.append('"');
			space();
			this.json.append(':');
			space();
			value(depth + 1);
			space();
			if (i > 1) {
				this.json.append(',');
				space();
			}
		}
		this.json.append('}');
	}

	private void array(int depth) {
		this.json.append('[');
		space();
		for (int i = this.random.nextInt(5); i > 0; i--) {
			value(depth + 1);
			space();
			if (i > 1) {
				this.json.append(',');
				space();
			}
		}
		this.json.append(']');
	}

	private void value(int depth) {
		switch (this.random.nextInt((depth > 5) ? 6 : 9)) {
			case 0 -> this.json.append("true");
			case 1 -> this.json.append("false");
			case 2 -> this.json.append("null");
			case 3 -> number();
			case 4, 5 -> {
				this.json.append('"');
				text();
				this.json.append('"');
			}
			case 6 -> array(depth);
			default -> object(depth);
		}
	}

	private void number() {
		this.json.append(this.random.nextBoolean() ? "-" : "");
		if (this.random.nextInt(4) == 0) {
			this.json.append('0');
		}
		else {
			this.json.append(this.random.nextInt(1, 10));
			digits(0);
		}
		if (this.random.nextBoolean()) {
			this.json.append('.');
			digits(1);
		}
		if (this.random.nextInt(3) == 0) {
			this.json.append(this.random.nextBoolean() ? 'e' : 'E').append(pick(new String[] { "", "+", "-" }));
			this.json.append(this.random.nextInt(1000));
		}
	}

	private void digits(int least) {
		for (int i = least + this.random.nextInt(20); i > 0; i--) {
			this.json.append(this.random.nextInt(10));
		}
	}

	private void text() {
		for (int i = this.random.nextInt(8); i > 0; i--) {
			this.json.append(pick(TEXT));
		}
	}

	private void space() {
		while (this.random.nextInt(4) == 0) {
			this.json.append(pick(SPACE));
		}
	}

	private String pick(String[] choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
