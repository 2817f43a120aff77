package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of interim, odd and malformed responses of an upstream: one table for both
 * flavours, decided by RFC 9110 and 9112. What could be read in two ways is refused, and
 * nothing incomplete is passed on as complete.
 */
class ResponsesContract extends SingleRouteContract {

	private static final String OK = "HTTP/1.1 200 OK\r\n";

	private static final String LENGTH = "Content-Length: 2\r\n";

	private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

	private static final String TEXT = "Content-Type: text/plain\r\n";

	private static final String GOOD = OK + LENGTH + "\r\nok";

	ResponsesContract(Gateway gateway) {
		super(gateway);
	}

	@ParameterizedTest
	@MethodSource
	void anOddResponseIsPassedOn(Kind kind) throws Exception {
		answer(kind);
		Message response = HttpExchange.get(port(), "/service/x");
		assertThat(response.status()).isEqualTo(kind.status());
		assertThat(response.text()).isEqualTo("ok");
		assertThatTheNextResponsesAreWhole();
	}

	static Stream<Kind> anOddResponseIsPassedOn() {
		return Stream.of(new Kind("100 before the response", interim(100, "") + GOOD),
				new Kind("102 before the response", interim(102, "") + GOOD),
				new Kind("103 before the response", interim(103, "Link: </x>; rel=preload\r\n") + GOOD),
				new Kind("an unknown interim status", interim(199, "") + GOOD),
				new Kind("many interim responses",
						interim(103, "") + interim(100, "") + interim(103, "Link: <y>\r\n") + interim(102, "") + GOOD),
				new Kind("103 before a chunked response",
						interim(103, "") + OK + TEXT + CHUNKED + "\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("no reason", "HTTP/1.1 200\r\n" + LENGTH + "\r\nok"),
				new Kind("an empty reason", "HTTP/1.1 200 \r\n" + LENGTH + "\r\nok"),
				new Kind("no header", OK + "\r\nok").closing(),
				new Kind("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok").closing(),
				new Kind("HTTP/1.2", "HTTP/1.2 200 OK\r\n" + LENGTH + "\r\nok"),
				new Kind("a status above 599", "HTTP/1.1 600 Odd\r\n" + LENGTH + "\r\nok").as(600),
				new Kind("a status of 999", "HTTP/1.1 999 Odd\r\n" + LENGTH + "\r\nok").as(999),
				new Kind("space before the colon", OK + "Content-Length : 2\r\n\r\nok"),
				new Kind("an empty header", OK + "X-Empty:\r\n" + LENGTH + "\r\nok"),
				new Kind("a chunk extension", OK + CHUNKED + "\r\n2;a=b\r\nok\r\n0;c\r\n\r\n"),
				new Kind("trailers", OK + CHUNKED + "\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"),
				new Kind("a head of 7 KB", OK + "X-Large: " + "x".repeat(7000) + "\r\n" + LENGTH + "\r\nok"));
	}

	@ParameterizedTest
	@MethodSource
	void aMalformedResponseIsABadGateway(Kind kind) throws Exception {
		answer(kind);
		Problems.assertProblem(HttpExchange.get(port(), "/service/x"), 502, Problems.BROKEN);
		assertThatTheNextResponsesAreWhole();
	}

	static Stream<Kind> aMalformedResponseIsABadGateway() {
		return Stream.of(new Kind("interim responses without end", interim(103, "").repeat(1000) + GOOD),
				new Kind("101 unasked",
						"HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"),
				new Kind("a web socket unasked",
						"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
				new Kind("a header of 70 KB", OK + "X-Large: " + "x".repeat(70_000) + "\r\n" + LENGTH + "\r\nok"),
				new Kind("headers of 70 KB",
						OK + ("X-Large: " + "x".repeat(90) + "\r\n").repeat(700) + LENGTH + "\r\nok"),
				new Kind("a reason of 70 KB", "HTTP/1.1 200 " + "x".repeat(70_000) + "\r\n" + LENGTH + "\r\nok"),
				new Kind("length and chunks", OK + LENGTH + CHUNKED + "\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("chunks and length", OK + CHUNKED + LENGTH + "\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("lines that end with LF", GOOD.replace("\r\n", "\n")),
				new Kind("one line that ends with LF", OK + "X-A: 1\n" + LENGTH + "\r\nok"),
				new Kind("NUL in a value", OK + "X-A: 1\0 2\r\n" + LENGTH + "\r\nok"),
				new Kind("a control character in a value", OK + "X-A: 1\u00012\r\n" + LENGTH + "\r\nok"),
				new Kind("CR in a value", OK + "X-A: 1\r2\r\n" + LENGTH + "\r\nok"),
				new Kind("different lengths", OK + LENGTH + "Content-Length: 1\r\n\r\nok"),
				new Kind("a list of different lengths", OK + "Content-Length: 2, 1\r\n\r\nok"),
				new Kind("the same length twice", OK + LENGTH + LENGTH + "\r\nok"),
				new Kind("a negative length", OK + "Content-Length: -2\r\n\r\nok"),
				new Kind("a length with a sign", OK + "Content-Length: +2\r\n\r\nok"),
				new Kind("a length that is no number", OK + "Content-Length: 2x\r\n\r\nok"),
				new Kind("a length without end", OK + "Content-Length: 99999999999999999999\r\n\r\nok"),
				new Kind("another coding", OK + "Transfer-Encoding: gzip\r\n\r\nok").closing(),
				new Kind("another coding before chunks",
						OK + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("another coding after chunks",
						OK + "Transfer-Encoding: chunked, gzip\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("chunks in chunks", OK + CHUNKED + CHUNKED + "\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\n" + CHUNKED + "\r\n2\r\nok\r\n0\r\n\r\n"),
				new Kind("a status of two digits", "HTTP/1.1 99 Odd\r\n" + LENGTH + "\r\nok"),
				new Kind("a status below 100", "HTTP/1.1 099 Odd\r\n" + LENGTH + "\r\nok"),
				new Kind("a status of four digits", "HTTP/1.1 1000 Odd\r\n" + LENGTH + "\r\nok"),
				new Kind("a status that is no number", "HTTP/1.1 2OO OK\r\n" + LENGTH + "\r\nok"),
				new Kind("no status", "HTTP/1.1\r\n" + LENGTH + "\r\nok"),
				new Kind("HTTP/2.0", "HTTP/2.0 200 OK\r\n" + LENGTH + "\r\nok"),
				new Kind("another protocol", "ICY 200 OK\r\n" + LENGTH + "\r\nok"),
				new Kind("a header without a name", OK + ": 1\r\n" + LENGTH + "\r\nok"),
				new Kind("a header without a colon", OK + "X-A\r\n" + LENGTH + "\r\nok"),
				new Kind("an illegal name", OK + "X(A): 1\r\n" + LENGTH + "\r\nok"),
				new Kind("space before the first header", OK + " X-A: 1\r\n" + LENGTH + "\r\nok"),
				new Kind("a head that ends", OK + LENGTH).closing());
	}

	@ParameterizedTest
	@MethodSource
	void aBodyThatIsNotWholeIsNeverPassedOnAsIfItWere(Kind kind) throws Exception {
		answer(kind);
		try {
			Problems.assertProblem(HttpExchange.get(port(), "/service/x"), 502, Problems.BROKEN);
		}
		catch (EOFException ex) {
			// The response had begun
		}
		assertThatTheNextResponsesAreWhole();
	}

	static Stream<Kind> aBodyThatIsNotWholeIsNeverPassedOnAsIfItWere() {
		return Stream.of(new Kind("less than the length", OK + TEXT + "Content-Length: 3\r\n\r\nok").closing(),
				new Kind("no last chunk", OK + TEXT + CHUNKED + "\r\n2\r\nok\r\n").closing(),
				new Kind("half a chunk", OK + TEXT + CHUNKED + "\r\n4\r\nok").closing(),
				new Kind("no line end after a chunk", OK + TEXT + CHUNKED + "\r\n2\r\nok0\r\n\r\n"),
				new Kind("a chunk that is too long", OK + TEXT + CHUNKED + "\r\n2\r\nokok\r\n0\r\n\r\n"),
				new Kind("a size that is no number", OK + TEXT + CHUNKED + "\r\nzz\r\nok\r\n0\r\n\r\n"),
				new Kind("a negative size", OK + TEXT + CHUNKED + "\r\n-2\r\nok\r\n0\r\n\r\n"),
				new Kind("a size in another notation", OK + TEXT + CHUNKED + "\r\n0x2\r\nok\r\n0\r\n\r\n"),
				new Kind("an empty size", OK + TEXT + CHUNKED + "\r\n\r\nok\r\n0\r\n\r\n"),
				new Kind("a size without end", OK + TEXT + CHUNKED + "\r\nffffffffffffffffff\r\nok\r\n0\r\n\r\n"),
				new Kind("a malformed second size", OK + TEXT + CHUNKED + "\r\n2\r\nok\r\nzz\r\nok\r\n0\r\n\r\n"));
	}

	@Test
	void aFoldedHeaderIsMadeOneLine() throws Exception {
		answer(new Kind("folded", OK + "X-A: 1\r\n  2\r\n" + LENGTH + "\r\nok"));
		Message response = HttpExchange.get(port(), "/service/x");
		assertThat(response.headers("X-A")).containsExactly("1 2");
		assertThat(response.text()).isEqualTo("ok");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Type: foo", "Content-Type: ;", "Content-Type: text/plain;charset=odd",
			"Content-Type: application/json;charset=odd", "Content-Type: text/html; charset=\"utf-8",
			"Content-Type: a/b;c", "ETag: x", "Date: x", "Last-Modified: x", "Expires: 0", "Allow: a b",
			"Location: http://[", "Cache-Control: ;;", "Content-Language: !!", "Content-Disposition: ;",
			"Content-Range: x", "Access-Control-Max-Age: x", "Set-Cookie: =", "WWW-Authenticate: ;", "Retry-After: x",
			"Content-Encoding: odd", "Link: x" })
	void aHeaderThatCannotBeParsedPassesAsSent(String header) throws Exception {
		answer(new Kind("odd", OK + header + "\r\n" + LENGTH + "\r\nok"));
		Message response = HttpExchange.get(port(), "/service/x");
		assertThat(response.status()).isEqualTo(200);
		String name = header.substring(0, header.indexOf(':'));
		assertThat(response.headers(name)).containsExactly(header.substring(name.length() + 1).strip());
		assertThat(response.text()).isEqualTo("ok");
	}

	private void assertThatTheNextResponsesAreWhole() throws IOException {
		answer(new Kind("good", GOOD));
		for (int i = 0; i < 3; i++) {
			Message response = HttpExchange.get(port(), "/service/x");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).isEqualTo("ok");
		}
	}

	private void answer(Kind kind) {
		upstream().answer((out) -> {
			out.write(kind.response().getBytes(StandardCharsets.ISO_8859_1));
			out.flush();
			if (kind.closes()) {
				throw new IOException("Closed by the test");
			}
		});
	}

	private static String interim(int status, String headers) {
		return "HTTP/1.1 " + status + " Interim\r\n" + headers + "\r\n";
	}

	/**
	 * A kind of response.
	 *
	 * @param name what is odd about it
	 * @param response all of its bytes
	 * @param closes whether the connection ends with it
	 * @param status status that the client sees, if it is passed on
	 */
	record Kind(String name, String response, boolean closes, int status) {

		Kind(String name, String response) {
			this(name, response, false, 200);
		}

		Kind closing() {
			return new Kind(this.name, this.response, true, this.status);
		}

		Kind as(int newStatus) {
			return new Kind(this.name, this.response, this.closes, newStatus);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
