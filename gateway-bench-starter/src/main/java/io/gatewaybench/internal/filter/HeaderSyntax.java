package io.gatewaybench.internal.filter;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a header may look like, so that it cannot split a message; one that is configured
 * cannot contradict the framing of a message either.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5">RFC 9110, section 5</a>
 */
final class HeaderSyntax {

	private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

	private static final BitSet TOKEN = lettersDigitsAnd(TOKEN_PUNCTUATION);

	private static final BitSet HOST = lettersDigitsAnd("-._~!$&'()*+,;=%");

	private static final int DELETE = 0x7f;

	private static final Set<String> RESERVED = Set.of("connection", "content-encoding", "content-length", "host",
			"keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

	private HeaderSyntax() {
	}

	static void check(String name, String value) {
		if (!isToken(name)) {
			throw new IllegalArgumentException(
					"'%s' is not a header name; use letters, digits and %s".formatted(name, TOKEN_PUNCTUATION));
		}
		if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IllegalArgumentException(
					"'%s' frames or routes the message, which is the gateway's own business; choose another header"
						.formatted(name));
		}
		if (!value.chars().allMatch((character) -> isSendable(character) && character < DELETE)) {
			throw new IllegalArgumentException(
					"the value of '%s' must be printable ASCII, without line breaks".formatted(name));
		}
	}

	static void checkSendable(String name, List<String> values) {
		if (!isToken(name)) {
			throw new IllegalArgumentException(
					"'%s' is not a header name".formatted(name.replaceAll("\\p{Cntrl}", "?")));
		}
		for (String value : values) {
			for (int i = 0; value != null && i < value.length(); i++) {
				if (!isSendable(value.charAt(i))) {
					throw new IllegalArgumentException(
							"the value of '%s' has a line break or another control character".formatted(name));
				}
			}
		}
	}

	/**
	 * Add the elements of a list (RFC 9110, section 5.6.1), in small letters.
	 */
	static void addElements(String line, List<String> elements) {
		for (String element : line.split(",")) {
			if (!element.isBlank()) {
				elements.add(element.strip().toLowerCase(Locale.ROOT));
			}
		}
	}

	/**
	 * Whether a host is a name or an address, with or without a port (RFC 9110, section
	 * 7.2). It may be empty.
	 */
	static boolean isHost(String host) {
		int end = host.indexOf(']') + 1;
		boolean address = host.startsWith("[");
		if (address && end == 0) {
			return false;
		}
		int port = host.indexOf(':', address ? end : 0);
		int nameEnd = (port < 0) ? host.length() : port;
		for (int i = address ? 1 : 0; i < (address ? end - 1 : nameEnd); i++) {
			if (!HOST.get(host.charAt(i)) && !(address && host.charAt(i) == ':')) {
				return false;
			}
		}
		boolean whole = !address || nameEnd == end;
		return whole && (port < 0 || isNumber(host, port + 1));
	}

	private static boolean isNumber(String host, int start) {
		for (int i = start; i < host.length(); i++) {
			if (host.charAt(i) < '0' || host.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

	static boolean isToken(String name) {
		for (int i = 0; i < name.length(); i++) {
			if (!TOKEN.get(name.charAt(i))) {
				return false;
			}
		}
		return !name.isEmpty();
	}

	private static boolean isSendable(int character) {
		return (character >= ' ' && character != DELETE) || character == '\t';
	}

	private static BitSet lettersDigitsAnd(String punctuation) {
		BitSet characters = new BitSet(DELETE);
		characters.set('0', '9' + 1);
		characters.set('A', 'Z' + 1);
		characters.set('a', 'z' + 1);
		punctuation.chars().forEach(characters::set);
		return characters;
	}

}
