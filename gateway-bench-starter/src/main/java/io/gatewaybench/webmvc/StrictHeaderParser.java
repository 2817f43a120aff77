package io.gatewaybench.webmvc;

import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Parser of lines of a head that takes only a token for the name of a header, and takes
 * space before the colon away, as a proxy has to (RFC 9112, section 5.1).
 */
final class StrictHeaderParser extends BasicLineParser {

	private static final boolean[] TOKEN = new boolean[128];

	static {
		"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".chars()
			.forEach((character) -> TOKEN[character] = true);
	}

	@Override
	public Header parseHeader(CharArrayBuffer line) throws ParseException {
		int end = 0;
		while (end < line.length() && line.charAt(end) < TOKEN.length && TOKEN[line.charAt(end)]) {
			end++;
		}
		int colon = end;
		while (colon < line.length() && (line.charAt(colon) == ' ' || line.charAt(colon) == '\t')) {
			colon++;
		}
		if (end == 0 || colon == line.length() || line.charAt(colon) != ':') {
			throw new ParseException("Invalid header", line, 0, line.length(), colon);
		}
		return new BasicHeader(line.substring(0, end), line.substringTrimmed(colon + 1, line.length()));
	}

}
