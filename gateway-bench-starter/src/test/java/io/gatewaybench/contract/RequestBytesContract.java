package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the client sends is what the upstream gets, the same on both flavours: method,
 * target, headers, framing and body. The exceptions are told here, each with its reason.
 */
class RequestBytesContract extends SingleRouteContract {

	private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

	private static final String LENGTH = "Content-Length: ";

	private static final String CHUNKED = "Transfer-Encoding: chunked";

	/**
	 * What ends at each hop (RFC 9110, section 7.6.1), and the host, which is that of the
	 * upstream.
	 */
	private static final Set<String> FOR_THIS_HOP = Set.of("host", "connection", "keep-alive", "te", "trailer",
			"upgrade", "proxy-authorization", "proxy-authenticate");

	/**
	 * Of these Reactor Netty reads a body that comes in chunks to its end, and tells its
	 * length.
	 */
	private static final Set<String> GATHERED = Set.of("GET", "HEAD", "DELETE");

	RequestBytesContract(Gateway gateway) {
		super(gateway, "gateway-bench.headers.enabled=false", "gateway-bench.body-rewrite.enabled=false");
	}

	static Stream<Sent> passedOn() {
		List<Sent> all = new ArrayList<>();
		for (String method : List.of("GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "PURGE", "PROPFIND",
				"LOCK", "x-odd")) {
			all.add(sent(method, "/x", ""));
			if (!method.equals("HEAD")) {
				all.add(sent(method, "/x", "hello", "Content-Type: text/plain", LENGTH));
			}
			if (!GATHERED.contains(method)) {
				all.add(sent(method, "/x", "5\r\nhello\r\n0\r\n\r\n", "Content-Type: text/plain", CHUNKED));
			}
		}
		for (String method : List.of("GET", "DELETE", "POST", "PUT", "OPTIONS", "PURGE")) {
			all.add(sent(method, "/x", "", "Content-Length: 0"));
		}
		all.add(sent("POST", "/x", "0\r\n\r\n", CHUNKED));
		all.add(sent("POST", "/x", "5;a=b;c=\"d\"\r\nhello\r\n6\r\n world\r\n000\r\n\r\n", CHUNKED));
		all.add(sent("POST", "/x", "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", "Trailer: X-Sum", CHUNKED));
		all.add(sent("POST", "/x", "a=1&b=%7e", FORM, LENGTH));
		all.add(sent("POST", "/x?a=2&c", "a=1&b=+%20&&=&c", FORM, LENGTH));
		all.add(sent("POST", "/x", "", FORM));
		all.add(sent("POST", "/x", "", FORM, "Content-Length: 0"));
		all.add(sent("POST", "/x", "%zz=%&\u00e9=\u00ff", FORM, LENGTH));
		all.add(sent("POST", "/x", "5\r\na=1&b\r\n0\r\n\r\n", FORM + ";charset=ISO-8859-1", CHUNKED));
		all.add(sent("PUT", "/x", "a=1&b=%7e", FORM, LENGTH));
		all.add(sent("DELETE", "/x", "a=1&b=%7e", FORM, LENGTH));
		all.add(sent("POST", "/x", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n",
				"Content-Type: multipart/form-data; boundary=b", LENGTH));
		for (String target : List.of("/", "//x", "/x//y/", "/a%20b%25", "/x;a=b", "/.well-known/x", "/a/../x", "/./x",
				"/x?", "/x?a", "/x?a=b+c&a=%20&b", "/x?q=%C3%A9", "/~!$&'()*+,=:@-._", "/x?a=/?:@!$'()*,;")) {
			all.add(sent("GET", target, ""));
		}
		all.add(sent("GET", "/x", "", "Cookie: a=1", "Cookie: b=2"));
		all.add(sent("GET", "/x", "", "X-A: 1", "x-a: 2", "X-B: 3", "X-A: 1, 4"));
		all.add(sent("GET", "/x", "", "X-Empty:", "X-Obs: caf\u00e9", "X-Tab: a\tb", "X-Comma: ,",
				"X!#$%&'*+.^_`|~: 1"));
		all.add(sent("GET", "/x", "", "X-Bytes: " + allBytesAbove127()));
		all.add(sent("GET", "/x", "", "Connection: X-Named, close", "X-Named: 1", "X-Kept: 1"));
		all.add(sent("GET", "/x", "", "TE: trailers", "Keep-Alive: timeout=5", "Connection: TE, keep-alive"));
		all.add(sent("GET", "/x", "", "Connection: Upgrade", "Upgrade: foo/1"));
		for (String header : List.of("Content-Type: foo", "Content-Type: text/plain;charset=odd", "Accept: foo",
				"Accept: a/b;q=x", "Accept-Language: !!", "Accept-Charset: ;;", "Cookie: =", "Cookie: a=\"",
				"Origin: foo", "Origin: http://[", "Date: x", "If-Modified-Since: x", "If-Unmodified-Since: x",
				"If-None-Match: x", "If-Match: x", "Range: x", "Content-Language: !!", "Content-Disposition: ;",
				"Access-Control-Request-Method: a b", "Max-Forwards: x", "Cache-Control: ;;", "traceparent: x")) {
			all.add(sent("GET", "/x", "", header));
		}
		all.add(sent("GET", "/x", "", "Accept: */*", "Accept-Encoding: gzip, br", "User-Agent: curl/8",
				"Authorization: Basic eA==", "Range: bytes=0-1", "If-None-Match: \"a\"", "Via: 1.1 a",
				"Max-Forwards: 5"));
		return all.stream();
	}

	private static String allBytesAbove127() {
		return IntStream.range(0x80, 0x100).mapToObj(Character::toString).collect(Collectors.joining());
	}

	@ParameterizedTest
	@MethodSource("passedOn")
	void theUpstreamGetsWhatTheClientSent(Sent sent) throws Exception {
		if (sent.headers().contains(CHUNKED) && sent.content().isEmpty()) {
			gateway().onlyOverHttp1("Over HTTP/2 no body and an empty body of no length are the same");
		}
		String expected = sent.expected();
		// A server joins the cookies of HTTP/2 (RFC 9113, section 8.2.3)
		assertThat(received(sent.text()))
			.isEqualTo(gateway().http2() ? expected.replace(" | cookie: b", "; b") : expected);
	}

	@Test
	void aBodyInChunksOfAMethodThatSeldomHasOneArrivesWhole() throws Exception {
		for (String method : List.of("GET", "DELETE")) {
			String received = received(sent(method, "/x", "5\r\nhello\r\n0\r\n\r\n", CHUNKED).text());
			String framing = (gateway().flavour() == Flavour.WEBFLUX) ? "content-length: 5"
					: "transfer-encoding: chunked";
			assertThat(received).isEqualTo("%s /x HTTP/1.1 | %s |  | hello".formatted(method, framing));
		}
	}

	/**
	 * Reactor Netty would collect it, however large it is.
	 */
	@Test
	void aLargeBodyOfAMethodThatSeldomHasOneTakesNoMemoryWithoutLimit() throws Exception {
		gateway().onlyOverHttp1("What is sent after the answer");
		String body = "x".repeat(2 * 1024 * 1024);
		for (String method : List.of("GET", "DELETE")) {
			Message response = HttpExchange.send(port(), sent(method, "/x", body, LENGTH).text());
			if (gateway().flavour() == Flavour.WEBFLUX) {
				assertThat(response.status()).isEqualTo(413);
				assertThat(response.headers("Connection")).containsExactly("close");
			}
			else {
				assertThat(response.status()).isEqualTo(204);
				assertThat(upstream().request().text()).isEqualTo(body);
			}
			assertThat(upstream().pendingRequests()).isZero();
		}
	}

	@Test
	void aLargeFormArrivesAsItIs() throws Exception {
		Sent form = sent("POST", "/x", "a=%7e&".repeat(1_000_000), FORM, LENGTH);
		assertThat(received(form.text()).equals(form.expected())).isTrue();
	}

	private String received(String request) throws Exception {
		Message response = HttpExchange.send(port(), request);
		assertThat(response.status()).as(() -> response + ": " + response.text()).isEqualTo(204);
		Message received = upstream().request();
		assertThat(received.headers("Host")).containsExactly("127.0.0.1:" + upstream().port());
		return comparable(received.startLine(),
				received.headers().stream().filter((line) -> !name(line).equals("host")),
				new String(received.body(), StandardCharsets.ISO_8859_1));
	}

	private static Sent sent(String method, String target, String body, String... headers) {
		return new Sent(method, target,
				Stream.of(headers).map((line) -> line.equals(LENGTH) ? LENGTH + body.length() : line).toList(), body);
	}

	private static String comparable(String startLine, Stream<String> headers, String body) {
		return Stream
			.of(Stream.of(startLine),
					headers.map(RequestBytesContract::comparable)
						.sorted(Comparator.comparing(RequestBytesContract::name)),
					Stream.of("", body))
			.flatMap((lines) -> lines)
			.collect(Collectors.joining(" | "));
	}

	private static String name(String header) {
		return header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
	}

	private static String comparable(String header) {
		return name(header) + ": " + header.substring(header.indexOf(':') + 1).strip();
	}

	private record Sent(String method, String target, List<String> headers, String body) {

		String text() {
			List<String> lines = new ArrayList<>();
			lines.add("%s /service%s HTTP/1.1".formatted(this.method, this.target));
			lines.add("Host: gateway");
			lines.addAll(this.headers);
			return String.join("\r\n", lines) + "\r\n\r\n" + this.body;
		}

		String expected() {
			List<String> named = this.headers.stream()
				.filter((line) -> name(line).equals("connection"))
				.flatMap((line) -> Arrays.stream(line.substring("connection:".length()).split(",")))
				.map((name) -> name.strip().toLowerCase(Locale.ROOT))
				.toList();
			return comparable(this.method + " " + this.target + " HTTP/1.1",
					this.headers.stream()
						.filter((line) -> !FOR_THIS_HOP.contains(name(line)) && !named.contains(name(line))),
					content());
		}

		private String content() {
			if (!this.headers.contains(CHUNKED)) {
				return this.body;
			}
			try {
				return new String(Message.read(
						new java.io.ByteArrayInputStream(
								("x\r\n" + CHUNKED + "\r\n\r\n" + this.body).getBytes(StandardCharsets.ISO_8859_1)),
						false, () -> {
						})
					.body(), StandardCharsets.ISO_8859_1);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public String toString() {
			return this.method + " " + this.target + " " + this.headers + " " + this.body;
		}

	}

}
