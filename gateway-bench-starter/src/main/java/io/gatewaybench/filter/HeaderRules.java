package io.gatewaybench.filter;

import java.util.Map;

import org.springframework.http.HttpHeaders;

/**
 * Headers that are set on every message of one direction. Immutable; a header of the same
 * name that the message already has is replaced.
 *
 * @since 0.1.0
 */
public final class HeaderRules {

	private final String[] names;

	private final String[] values;

	private HeaderRules(Map<String, String> headers) {
		this.names = headers.keySet().toArray(String[]::new);
		this.values = headers.values().toArray(String[]::new);
	}

	/**
	 * Create rules.
	 * @param headers values by name
	 * @return the rules
	 * @throws IllegalArgumentException if a name is not a token of RFC 9110, frames or
	 * routes the message, or a value has control characters; the message says which and
	 * why
	 */
	public static HeaderRules of(Map<String, String> headers) {
		headers.forEach(HeaderSyntax::check);
		return new HeaderRules(headers);
	}

	/**
	 * Set the headers.
	 * @param headers headers of the message
	 */
	public void applyTo(HttpHeaders headers) {
		for (int i = 0; i < this.names.length; i++) {
			headers.set(this.names[i], this.values[i]);
		}
	}

}
