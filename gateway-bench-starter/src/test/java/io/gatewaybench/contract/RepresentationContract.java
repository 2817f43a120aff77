package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A body with the field and the body of the upstream are two representations (RFC 9110,
 * sections 8.8, 13 and 14). A client never gets a part of one for a part of the other, a
 * condition means what it says, and what is said about one is not said about the other.
 * The upstream does what the RFC says.
 */
class RepresentationContract extends SingleRouteContract {

	private static final String JSON = "{\"a\":\"" + "x".repeat(400) + "\"}";

	private static final String TEXT = "x".repeat(500);

	private static final String BEFORE = "Tue, 15 Nov 1994 12:00:00 GMT";

	private static final String DATE = "Tue, 15 Nov 1994 12:45:26 GMT";

	RepresentationContract(Gateway gateway) {
		super(gateway);
	}

	@BeforeEach
	void answerByTheRfc() throws InterruptedException {
		while (upstream().pendingRequests() > 0) {
			upstream().request();
		}
		upstream().answer((out) -> answer(out, received()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET  | -                                                   | 200 | new  | W/"v1"
			GET  | Range: bytes=5-                                     | 200 | new  | W/"v1"
			GET  | Range: bytes=5-9                                    | 200 | new  | W/"v1"
			GET  | Range: bytes=-5                                     | 200 | new  | W/"v1"
			GET  | Range: bytes=420-                                   | 200 | new  | W/"v1"
			GET  | Range: bytes=0-1,5-9                                | 200 | new  | W/"v1"
			GET  | Range: lines=1-2                                    | 200 | new  | W/"v1"
			GET  | Range: bytes=5- / If-Range: DATE                    | 200 | new  | W/"v1"
			GET  | Range: bytes=5- / If-Range: BEFORE                  | 200 | new  | W/"v1"
			GET  | Range: bytes=5- / If-Range: W/"v1"                  | 200 | new  | W/"v1"
			GET  | Range: bytes=420- / If-Range: W/"v1"                | 200 | new  | W/"v1"
			GET  | Range: bytes=5- / If-Range: "v0"                    | 200 | new  | W/"v1"
			GET  | Range: bytes=5- / If-Range: "v1"                    | 206 | part | "v1"
			GET  | If-None-Match: W/"v1"                               | 304 | none | W/"v1"
			GET  | If-None-Match: "v1"                                 | 304 | none | "v1"
			GET  | If-None-Match: "v0", W/"v1"                         | 304 | none | W/"v1"
			GET  | If-None-Match: *                                    | 304 | none | W/"v1"
			GET  | If-None-Match: W/"v0"                               | 200 | new  | W/"v1"
			GET  | If-None-Match: W/"v0" / Range: bytes=5-             | 200 | new  | W/"v1"
			GET  | If-None-Match: W/"v1" / Range: bytes=5-             | 304 | none | W/"v1"
			GET  | If-None-Match: W/"v0" / If-Modified-Since: DATE     | 200 | new  | W/"v1"
			GET  | If-Modified-Since: DATE                             | 304 | none | W/"v1"
			GET  | If-Modified-Since: BEFORE                           | 200 | new  | W/"v1"
			GET  | If-Unmodified-Since: DATE                           | 200 | new  | W/"v1"
			GET  | If-Unmodified-Since: BEFORE                         | 412 | none | -
			GET  | If-Match: W/"v1"                                    | 200 | new  | W/"v1"
			GET  | If-Match: "v1"                                      | 200 | new  | W/"v1"
			GET  | If-Match: W/"v1" / Range: bytes=5-                  | 200 | new  | W/"v1"
			GET  | If-Match: W/"v0"                                    | 412 | none | -
			HEAD | -                                                   | 200 | none | W/"v1"
			HEAD | Range: bytes=5-                                     | 200 | none | W/"v1"
			HEAD | If-None-Match: W/"v1"                               | 304 | none | W/"v1"
			HEAD | If-None-Match: "v1"                                 | 304 | none | "v1"
			HEAD | If-Modified-Since: DATE                             | 304 | none | W/"v1"
			HEAD | If-Unmodified-Since: BEFORE                         | 412 | none | -
			HEAD | If-Match: W/"v1"                                    | 200 | none | W/"v1"
			PUT  | If-Match: W/"v1"                                    | 200 | new  | W/"v1"
			PUT  | If-Match: "v1"                                      | 200 | new  | W/"v1"
			PUT  | If-Match: W/"v0", "a, W/b", W/"v1"                  | 200 | new  | W/"v1"
			PUT  | If-Match: *                                         | 200 | new  | W/"v1"
			PUT  | If-Match: W/"v0"                                    | 412 | none | -
			PUT  | If-None-Match: *                                    | 412 | none | -
			PUT  | If-None-Match: W/"v1"                               | 412 | none | -
			PUT  | If-Unmodified-Since: BEFORE                         | 412 | none | -
			POST | Range: bytes=5-                                     | 200 | new  | W/"v1"
			""")
	void ofABodyThatIsChangedNothingIsMixedUp(String method, String conditions, int status, String body, String etag)
			throws Exception {
		Message response = send("/service/json", method, conditions);
		assertThat(response.status()).isEqualTo(status);
		switch (body) {
			case "new" -> assertThat(response.text()).startsWith(JSON.substring(0, JSON.length() - 1) + ",\"_gateway\"")
				.endsWith("true}}");
			case "part" -> assertThat(response.text()).isEqualTo(JSON.substring(5));
			default -> assertThat(response.text()).isEmpty();
		}
		if (etag.equals("-")) {
			return;
		}
		assertThat(response.headers("ETag")).containsExactly(etag);
		assertThat(response.headers("Last-Modified")).containsExactly(DATE);
		if (etag.startsWith("W/")) {
			assertThat(response.headers())
				.noneMatch((line) -> line.matches("(?i)(.*Digest|Content-MD5|Accept-Ranges|Content-Range):.*"));
			List<String> length = body.equals("new") ? List.of(String.valueOf(response.body().length)) : List.of();
			assertThat(response.headers("Content-Length")).isEqualTo(length);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET  | -                                                   | 200 | 0-499
			GET  | Range: bytes=5-                                     | 206 | 5-499
			GET  | Range: bytes=5-9                                    | 206 | 5-9
			GET  | Range: bytes=5- / If-Range: "v1"                    | 206 | 5-499
			GET  | Range: bytes=5- / If-Range: "v0"                    | 200 | 0-499
			GET  | Range: bytes=5- / If-Range: DATE                    | 200 | 0-499
			GET  | Range: bytes=0-1,5-9                                | 200 | 0-499
			GET  | Range: bytes=5- / If-Match: "v1"                    | 206 | 5-499
			GET  | If-None-Match: "v1"                                 | 304 | -
			GET  | If-Modified-Since: DATE                             | 304 | -
			HEAD | -                                                   | 200 | -
			""")
	void whatIsNotChangedCanBeResumed(String method, String conditions, int status, String part) throws Exception {
		Message response = send("/service/text", method, conditions);
		assertThat(response.status()).isEqualTo(status);
		if (part.equals("-")) {
			assertThat(response.text()).isEmpty();
		}
		else {
			String[] bounds = part.split("-");
			assertThat(response.text())
				.isEqualTo(TEXT.substring(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]) + 1));
		}
		if (status != 304) {
			assertThat(response.headers("ETag")).containsExactly("\"v1\"");
			assertThat(response.headers("Accept-Ranges")).containsExactly("bytes");
			assertThat(response.headers("Repr-Digest")).hasSize(1);
		}
		if (method.equals("HEAD")) {
			assertThat(response.headers("Content-Length")).containsExactly("500");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD" })
	void whatMustNotBeChangedKeepsItsValidators(String method) throws Exception {
		Message response = send("/service/untouched", method, "-");
		assertThat(response.headers("ETag")).containsExactly("\"v1\"");
		assertThat(response.headers("Content-Length")).containsExactly(String.valueOf(JSON.length()));
		Message part = send("/service/untouched", "GET", "Range: bytes=5-");
		assertThat(part.status()).isEqualTo(206);
		assertThat(part.text()).isEqualTo(JSON.substring(5));
	}

	@Test
	void aClientThatResumesHasOneOfTheRepresentationsAndNotBoth() throws Exception {
		Message first = send("/service/json", "GET", "-");
		String half = first.text().substring(0, 200);
		Message rest = send("/service/json", "GET", "Range: bytes=200- / If-Range: " + first.header("Last-Modified"));
		assertThat(rest.status()).isEqualTo(200);
		assertThat(rest.text()).startsWith(half).endsWith("true}}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Docker-Content-Digest: sha256:x", "Signature: sig1=:x:", "Signature-Input: sig1=()",
			"x-jws-signature: x..y", "X-Signature: x", "x-amz-checksum-crc32: x", "x-amz-checksum-crc64nvme: x",
			"x-amz-checksum-sha256: x" })
	void whatIsSignedPassesUnchanged(String signature) throws Exception {
		String about = "ETag: \"v1\"\r\nContent-Digest: sha-256=:x:\r\nAccept-Ranges: bytes\r\n" + signature;
		upstream()
			.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%s\r\nContent-Length: 7\r\n\r\n{\"a\":1}"
				.formatted(about));
		Message response = send("/service/x", "GET", "-");
		assertThat(response.text()).isEqualTo("{\"a\":1}");
		assertThat(response.headers()).usingElementComparator(String.CASE_INSENSITIVE_ORDER)
			.contains(about.split("\r\n"));
	}

	/**
	 * An upstream need not decide about conditions. The gateway does not do so either.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET  | application/json | If-Unmodified-Since: BEFORE
			GET  | text/plain       | If-Unmodified-Since: BEFORE
			GET  | text/plain       | If-Match: "v0"
			GET  | application/json | If-None-Match: W/"v1"
			GET  | text/plain       | If-None-Match: "v1"
			GET  | text/plain       | If-None-Match: *
			GET  | text/plain       | If-Modified-Since: DATE
			HEAD | text/plain       | If-Unmodified-Since: BEFORE
			HEAD | text/plain       | If-None-Match: "v1"
			PUT  | text/plain       | If-Unmodified-Since: BEFORE
			PUT  | text/plain       | If-None-Match: *
			""")
	void theGatewayDecidesAboutNoConditionItself(String method, String type, String condition) throws Exception {
		upstream().answer((out) -> {
			boolean head = received().startLine().startsWith("HEAD");
			out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\nContent-Length: 402\r\n\r\n%s"
				.formatted(type, validators(), head ? "" : "{\"a\":\"" + "x".repeat(394) + "\"}")
				.getBytes(StandardCharsets.US_ASCII));
		});
		String content = method.equals("PUT") ? "Content-Length: 2\r\n\r\nhi" : "\r\n";
		byte[] request = "%s /service/x HTTP/1.1\r\nHost: gateway\r\n%s\r\n%s"
			.formatted(method, condition.replace("DATE", DATE).replace("BEFORE", BEFORE), content)
			.getBytes(StandardCharsets.US_ASCII);
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port())) {
			client.setSoTimeout(20_000);
			InputStream in = new BufferedInputStream(client.getInputStream());
			for (int i = 0; i < 3; i++) {
				client.getOutputStream().write(request);
				Message response = Message.read(in, method.equals("HEAD"), () -> {
				});
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.body()).hasSizeGreaterThanOrEqualTo(method.equals("HEAD") ? 0 : 402);
			}
		}
	}

	@Test
	void aRouteWithoutAnUpstreamAsksForTheWholeToo() throws Exception {
		try (RunningGateway running = gateway().startWithNativeRoute(upstream().url(),
				List.of("InjectGatewayMetadata"))) {
			Message response = send(running.port(), "/service/json", "GET", "Range: bytes=5-");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).startsWith("{\"a\"").endsWith("true}}");
			assertThat(send(running.port(), "/service/text", "GET", "Range: bytes=5-").status()).isEqualTo(206);
		}
	}

	@Test
	void whichHeadersAreSignaturesIsASetting() throws Exception {
		try (RunningGateway running = gateway().startWithRoute(List.of(upstream().url()),
				"gateway-bench.body-rewrite.signature-headers=X-Mine,X-Other")) {
			upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nx-mine: 1\r\n"
					+ "Content-Length: 7\r\n\r\n{\"a\":1}");
			assertThat(send(running.port(), "/service/x", "GET", "-").text()).isEqualTo("{\"a\":1}");
			upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Signature: 1\r\n"
					+ "Content-Length: 7\r\n\r\n{\"a\":1}");
			assertThat(send(running.port(), "/service/x", "GET", "-").text()).contains("_gateway");
		}
	}

	private Message send(String path, String method, String conditions) throws IOException {
		return send(port(), path, method, conditions);
	}

	private static Message send(int port, String path, String method, String conditions) throws IOException {
		String lines = conditions.equals("-") ? ""
				: conditions.replace(" / ", "\r\n").replace("DATE", DATE).replace("BEFORE", BEFORE) + "\r\n";
		String length = method.startsWith("P") ? "Content-Length: 2\r\n\r\nhi" : "\r\n";
		return HttpExchange.send(port,
				"%s %s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n%s%s".formatted(method, path, lines, length));
	}

	private Message received() throws IOException {
		try {
			return upstream().request();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	/**
	 * In the order of RFC 9110, section 13.2.2.
	 */
	private static void answer(OutputStream out, Message request) throws IOException {
		String method = request.startLine().substring(0, request.startLine().indexOf(' '));
		boolean safe = method.equals("GET") || method.equals("HEAD");
		List<String> match = tags(request, "If-Match");
		List<String> noneMatch = tags(request, "If-None-Match");
		if (match.isEmpty() ? BEFORE.equals(request.header("If-Unmodified-Since"))
				: !match.contains("*") && !match.contains("\"v1\"")) {
			write(out, method, "412 Precondition Failed\r\nContent-Length: 0", "");
		}
		else if (noneMatch.isEmpty() ? safe && DATE.equals(request.header("If-Modified-Since"))
				: noneMatch.contains("*") || noneMatch.contains("\"v1\"") || noneMatch.contains("W/\"v1\"")) {
			write(out, method, safe ? "304 Not Modified" : "412 Precondition Failed\r\nContent-Length: 0",
					safe ? validators() : "");
		}
		else {
			answerWithBody(out, method, request);
		}
	}

	private static void answerWithBody(OutputStream out, String method, Message request) throws IOException {
		String body = request.target().endsWith("text") ? TEXT : JSON;
		String type = request.target().endsWith("text") ? "text/plain" : "application/json";
		String about = validators() + "\r\nContent-Type: " + type + "\r\nAccept-Ranges: bytes"
				+ (request.target().contains("untouched") ? "\r\nCache-Control: no-transform" : "");
		String range = request.header("Range");
		String ifRange = request.header("If-Range");
		boolean asked = method.equals("GET") && range != null && range.matches("bytes=[-0-9, ]+")
				&& (ifRange == null || ifRange.equals("\"v1\"") || ifRange.equals(DATE));
		if (!asked) {
			write(out, method, "200 OK\r\nContent-Length: " + body.length(),
					about + (method.equals("HEAD") ? "" : "\r\n\r\n" + body));
			return;
		}
		if (range.contains(",")) {
			write(out, method, "206 Partial Content\r\nContent-Length: 2",
					validators() + "\r\nContent-Type: multipart/byteranges; boundary=b\r\n\r\n--");
			return;
		}
		String[] bounds = range.substring("bytes=".length()).split("-", 2);
		int from = bounds[0].isEmpty() ? body.length() - Integer.parseInt(bounds[1]) : Integer.parseInt(bounds[0]);
		int to = (bounds[0].isEmpty() || bounds[1].isEmpty()) ? body.length() : Integer.parseInt(bounds[1]) + 1;
		if (from >= body.length()) {
			write(out, method, "416 Range Not Satisfiable\r\nContent-Length: 0",
					"Content-Range: bytes */" + body.length());
			return;
		}
		write(out, method, "206 Partial Content\r\nContent-Length: " + (to - from),
				"Content-Range: bytes %d-%d/%d\r\n%s\r\n\r\n%s".formatted(from, to - 1, body.length(), about,
						body.substring(from, to)));
	}

	private static String validators() {
		return "ETag: \"v1\"\r\nLast-Modified: " + DATE + "\r\nRepr-Digest: sha-256=:x:\r\nDigest: x\r\nContent-MD5: x";
	}

	private static void write(OutputStream out, String method, String status, String rest) throws IOException {
		String head = "HTTP/1.1 " + status + "\r\n" + rest;
		out.write((head + (head.contains("\r\n\r\n") ? "" : head.endsWith("\r\n") ? "\r\n" : "\r\n\r\n"))
			.getBytes(StandardCharsets.US_ASCII));
	}

	private static List<String> tags(Message request, String name) {
		List<String> tags = new ArrayList<>();
		request.headers(name.toLowerCase(Locale.ROOT))
			.forEach((line) -> tags.addAll(Arrays.asList(line.split(",\\s*(?=[W*\"])"))));
		return tags;
	}

}
