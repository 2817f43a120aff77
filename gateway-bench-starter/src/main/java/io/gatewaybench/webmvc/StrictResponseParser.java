package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HeaderElements;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the responses on one connection that refuses what Apache's own takes: a head
 * that ends with the connection, is too large or has line ends of its own, a body with
 * two lengths or with another coding than chunks, interim responses without end, and
 * bytes after the end of one response as the beginning of the next. The last would give
 * one client what an upstream made up for another (RFC 9112, section 6.3).
 */
final class StrictResponseParser implements HttpMessageParser<ClassicHttpResponse> {

	/**
	 * An upstream that sends more of them sends them without end.
	 */
	private static final int MAX_INTERIM = 100;

	private final HttpMessageParser<ClassicHttpResponse> delegate = new DefaultHttpResponseParser(null,
			new StrictHeaderParser(), null);

	private final StrictLines lines;

	/** How many interim responses have announced the one that comes next. */
	private int interim;

	/**
	 * Create the parser.
	 * @param maxHeadSize the most bytes of a head, without its line ends
	 */
	StrictResponseParser(int maxHeadSize) {
		this.lines = new StrictLines(maxHeadSize);
	}

	@Override
	public @Nullable ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream input)
			throws IOException, HttpException {
		if (buffer.length() > 0 && this.interim == 0) {
			throw new ProtocolException("The upstream sent more than its last response");
		}
		ClassicHttpResponse response = this.delegate.parse(this.lines.of(buffer), input);
		if (response == null) {
			return null;
		}
		check(response);
		this.interim = (response.getCode() < HttpStatus.SC_OK) ? this.interim + 1 : 0;
		if (this.interim > MAX_INTERIM) {
			throw new ProtocolException("The upstream sent too many interim responses");
		}
		return response;
	}

	private static void check(ClassicHttpResponse response) throws ProtocolException {
		ProtocolVersion version = response.getVersion();
		if (version.getMajor() != 1) {
			throw new ProtocolException("The upstream sent a response of " + version);
		}
		if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
			throw new ProtocolException("The upstream sent another protocol that it was not asked for");
		}
		boolean mayHaveBody = response.getCode() >= HttpStatus.SC_OK && response.getCode() != HttpStatus.SC_NO_CONTENT
				&& response.getCode() != HttpStatus.SC_NOT_MODIFIED;
		Header length = response.getFirstHeader(HttpHeaders.CONTENT_LENGTH);
		if (length != null && (length.getValue().isEmpty() || !isDigit(length.getValue().charAt(0)))) {
			throw new ProtocolException("The upstream sent a length that is no number");
		}
		Header coding = response.getFirstHeader(HttpHeaders.TRANSFER_ENCODING);
		if (coding != null && mayHaveBody && (length != null || version.lessEquals(HttpVersion.HTTP_1_0)
				|| !HeaderElements.CHUNKED_ENCODING.equalsIgnoreCase(coding.getValue()))) {
			throw new ProtocolException("The upstream sent a body of which the end is uncertain");
		}
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

}
