package io.gatewaybench.filter;

import java.util.Locale;
import java.util.Set;

/**
 * What a configured header may look like, so that configuration can neither split a
 * message nor contradict its framing.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5">RFC 9110, section 5</a>
 */
final class HeaderSyntax {

	private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

	private static final Set<String> RESERVED = Set.of("connection", "content-encoding", "content-length", "host",
			"keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

	private HeaderSyntax() {
	}

	static void check(String name, String value) {
		if (name.isEmpty() || !name.chars().allMatch(HeaderSyntax::isTokenCharacter)) {
			throw new IllegalArgumentException(
					"'%s' is not a header name; use letters, digits and %s".formatted(name, TOKEN_PUNCTUATION));
		}
		if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IllegalArgumentException(
					"'%s' frames or routes the message, which is the gateway's own business; choose another header"
						.formatted(name));
		}
		if (!value.chars().allMatch(HeaderSyntax::isValueCharacter)) {
			throw new IllegalArgumentException(
					"the value of '%s' must be printable ASCII, without line breaks".formatted(name));
		}
	}

	private static boolean isTokenCharacter(int character) {
		return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z')
				|| (character >= 'a' && character <= 'z') || TOKEN_PUNCTUATION.indexOf(character) >= 0;
	}

	private static boolean isValueCharacter(int character) {
		return character == '\t' || (character >= ' ' && character <= '~');
	}

}
