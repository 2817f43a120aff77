package io.gatewaybench.internal;

import org.jspecify.annotations.Nullable;

/**
 * How text of others is spelled where it is shown.
 */
public final class Spelling {

	/** Stands for what is not shown. */
	public static final String HIDDEN = "***";

	private Spelling() {
	}

	/**
	 * Hide the password and the query of a URL, which may be malformed.
	 */
	public static String withoutSecrets(@Nullable Object value) {
		String text = String.valueOf(value);
		boolean url = text.contains("//");
		text = text.replaceFirst("(?s)((?:.*?//)?).*@", "$1" + HIDDEN + "@");
		return url ? text.replaceFirst("(?s)\\?.*", "?" + HIDDEN) : text;
	}

	/**
	 * Spell text as a JSON string.
	 */
	public static String json(String value) {
		StringBuilder quoted = new StringBuilder("\"");
		value.chars().forEach((c) -> {
			if (c < ' ') {
				quoted.append(String.format("\\u%04x", c));
			}
			else {
				quoted.append((c == '"' || c == '\\') ? "\\" : "").append((char) c);
			}
		});
		return quoted.append('"').toString();
	}

}
