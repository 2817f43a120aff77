package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The {@code _gateway} field: who gets it, and who must not notice, whatever the engine.
 */
abstract class BodyRewriteContract extends SingleRouteContract {

	/**
	 * Jetty ends a response without a length by closing if the client wants to close.
	 * Then it is not chunked, and nobody can see that it broke off.
	 */
	static final String KEEP_ALIVE = "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n";

	static final int MAX_BUFFER_SIZE = 64 * 1024;

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

	private static final String LAST_MODIFIED = "Tue, 15 Nov 1994 12:45:26 GMT";

	private static final String ABOUT_THE_BODY = "ETag: \"v1\"\r\nLast-Modified: " + LAST_MODIFIED
			+ "\r\nAccept-Ranges: bytes\r\nContent-MD5: w\r\nDigest: x\r\nContent-Digest: y\r\nRepr-Digest: z\r\n";

	BodyRewriteContract(Gateway gateway, String engine) {
		super(gateway, "gateway-bench.body-rewrite.engine=" + engine,
				"gateway-bench.body-rewrite.max-buffer-size=" + MAX_BUFFER_SIZE + "B");
	}

	@Test
	void theFieldIsTheLastMember() throws Exception {
		json("{\"a\":1,\"b\":[true,null]}");
		long before = System.currentTimeMillis();
		String body = get().text();
		long after = System.currentTimeMillis();
		assertThat(body).matches("\\{\"a\":1,\"b\":\\[true,null],\"_gateway\":\\{\"type\":\"%s\",\"timestamp\":\\d+,"
			.formatted(gateway().flavour().label()) + "\"processed\":true}}");
		assertThat(timestamp(body)).isBetween(before, after);
	}

	@Test
	void anEmptyObjectGetsTheField() throws Exception {
		json("{}");
		assertThat(masked(get())).isEqualTo("{\"_gateway\":" + metadata() + "}");
	}

	@Test
	void aFieldThatIsThereIsReplacedInItsPlace() throws Exception {
		json("{\"a\":1,\"_gateway\":{\"type\":\"forged\"},\"b\":2}");
		assertThat(masked(get())).isEqualTo("{\"a\":1,\"_gateway\":" + metadata() + ",\"b\":2}");
	}

	@Test
	void aNestedFieldOfThatNameIsLeftAlone() throws Exception {
		json("{\"a\":{\"_gateway\":1}}");
		assertThat(masked(get())).isEqualTo("{\"a\":{\"_gateway\":1},\"_gateway\":" + metadata() + "}");
	}

	@Test
	void theLengthIsThatOfTheNewBody() throws Exception {
		json("{\"a\":1}");
		Message response = get();
		assertThat(response.header("Content-Length")).isEqualTo(String.valueOf(response.body().length));
		assertThat(response.header("Transfer-Encoding")).isNull();
	}

	@Test
	void aChunkedBodyGetsTheField() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
				+ "4\r\n{\"a\"\r\n4\r\n:1} \r\n0\r\n\r\n");
		assertThat(masked(get())).startsWith("{\"a\":1,\"_gateway\":" + metadata() + "}");
	}

	@Test
	void aBodyThatComesOneByteAtATimeGetsTheField() throws Exception {
		byte[] body = "{\"text\":\"é€\uD83D\uDE00\"}".getBytes(StandardCharsets.UTF_8);
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
				.formatted(body.length)
				.getBytes(StandardCharsets.US_ASCII));
			for (byte single : body) {
				out.flush();
				out.write(single);
			}
		});
		assertThat(masked(get())).isEqualTo("{\"text\":\"é€\uD83D\uDE00\",\"_gateway\":" + metadata() + "}");
	}

	@Test
	void aBodyThatEndsWithTheConnectionGetsTheField() throws Exception {
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"a\":1}"
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("That was the body");
		});
		assertThat(masked(get())).isEqualTo("{\"a\":1,\"_gateway\":" + metadata() + "}");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "application/json", "application/json;charset=utf-8", "application/json; charset=\"UTF-8\"",
					"Application/JSON", "application/problem+json", "application/vnd.api+json; v=1" })
	void everyKindOfJsonGetsTheField(String contentType) throws Exception {
		answer(contentType, "{\"a\":1}");
		Message response = get();
		assertThat(masked(response)).isEqualTo("{\"a\":1,\"_gateway\":" + metadata() + "}");
		assertThat(MediaType.parseMediaType(response.header("Content-Type")))
			.isEqualTo(MediaType.parseMediaType(contentType.replace("\"", "")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "text/html", "application/xml", "application/json; charset=iso-8859-1",
			"application/x-ndjson", "application/octet-stream", "application/jsonp" })
	void whatIsNotJsonPassesUnchanged(String contentType) throws Exception {
		answer(contentType, "{\"a\":1}");
		assertThat(get().text()).isEqualTo("{\"a\":1}");
	}

	@ParameterizedTest
	@MethodSource("unparsable")
	void whatIsNoObjectPassesUnchanged(String body) throws Exception {
		json(body);
		Message response = get();
		assertThat(response.text()).isEqualTo(body);
		assertThat(response.header("Content-Length")).isEqualTo(String.valueOf(response.body().length));
	}

	static List<String> unparsable() {
		return List.of("[1,2]", "\"text\"", "17", "null", "{", "{\"a\":1", "{\"a\":1}}", "{\"a\":1} x", "{a:1}",
				"{'a':1}", "{\"a\":01}", "{\"a\":1,}", "{\"a\":NaN}", "<html></html>", " ", "\uFEFF{\"a\":1}");
	}

	@Test
	void anEmptyBodyStaysEmpty() throws Exception {
		json("");
		Message response = get();
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.body()).isEmpty();
	}

	@Test
	void aCompressedBodyPassesUnchangedAndIsNotAskedFor() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: br\r\n"
				+ "Content-Length: 7\r\n\r\n{\"a\":1}");
		Message response = HttpExchange.send(port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n");
		assertThat(response.text()).isEqualTo("{\"a\":1}");
		assertThat(response.header("Content-Encoding")).isEqualTo("br");
		assertThat(upstream().request().headers("Accept-Encoding")).containsExactly("identity");
	}

	@Test
	void anErrorOfTheUpstreamGetsTheField() throws Exception {
		upstream().answer("HTTP/1.1 503 Busy\r\nContent-Type: application/problem+json\r\n"
				+ "Content-Length: 14\r\n\r\n{\"status\":503}");
		Message response = get();
		assertThat(response.status()).isEqualTo(503);
		assertThat(masked(response)).isEqualTo("{\"status\":503,\"_gateway\":" + metadata() + "}");
	}

	@Test
	void validatorsOfTheOldBodyAreWeakenedOrDropped() throws Exception {
		upstream().answer(OK + ABOUT_THE_BODY + "Content-Length: 7\r\n\r\n{\"a\":1}");
		Message response = get();
		assertThat(response.headers("ETag")).containsExactly("W/\"v1\"");
		assertThat(response.headers("Last-Modified")).containsExactly(LAST_MODIFIED);
		assertThat(response.headers()).noneMatch((line) -> line.matches("(?i)(.*Digest|Content-MD5|Accept-Ranges):.*"));
	}

	@Test
	void aWeakValidatorStaysAsItIs() throws Exception {
		upstream().answer(OK + "ETag: W/\"v1\"\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
		assertThat(get().headers("ETag")).containsExactly("W/\"v1\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 3\r\n\r\n[1]", "Content-Length: 8\r\n\r\n{\"a\":1}}",
			"Cache-Control: public, No-Transform\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
			"Content-Range: bytes 0-6/9\r\nContent-Length: 7\r\n\r\n{\"a\":1}" })
	void whatIsSaidAboutABodyThatPassesUnchangedStays(String rest) throws Exception {
		upstream().answer(OK + ABOUT_THE_BODY + rest);
		Message response = get();
		assertThat(response.text()).isEqualTo(rest.substring(rest.indexOf("\r\n\r\n") + 4));
		assertThat(response.headers()).usingElementComparator(String.CASE_INSENSITIVE_ORDER)
			.contains(ABOUT_THE_BODY.split("\r\n"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "206 Partial Content", "205 Reset Content" })
	void aStatusWithoutAWholeBodyPassesUnchanged(String status) throws Exception {
		boolean empty = status.startsWith("205");
		upstream().answer("HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %s".formatted(status,
				ABOUT_THE_BODY, empty ? "0\r\n\r\n" : "7\r\n\r\n{\"a\":1}"));
		Message response = get();
		assertThat(response.startLine()).contains(status.substring(0, 3));
		assertThat(response.text()).isEqualTo(empty ? "" : "{\"a\":1}");
		assertThat(response.headers("ETag")).containsExactly("\"v1\"");
	}

	@Test
	void theAnswerToHeadTellsOfTheNewBodyAndNotItsLength() throws Exception {
		upstream().answer(OK + ABOUT_THE_BODY + "Content-Length: 7\r\n\r\n");
		Message response = HttpExchange.send(port(),
				"HEAD /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
		assertThat(response.headers("ETag")).containsExactly("W/\"v1\"");
		assertThat(response.headers("Last-Modified")).containsExactly(LAST_MODIFIED);
		assertThat(response.headers())
			.noneMatch((line) -> line.matches("(?i)(.*Digest|Content-MD5|Accept-Ranges|Content-Length):.*"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1000, 30_000, MAX_BUFFER_SIZE - 8 })
	void aBodyWithinTheLimitGetsTheField(int length) throws Exception {
		json("{\"a\":\"" + "x".repeat(length) + "\"}");
		assertThat(masked(get())).isEqualTo("{\"a\":\"" + "x".repeat(length) + "\",\"_gateway\":" + metadata() + "}");
	}

	@Test
	void aBodyThatBreaksOffIsNeverAValidShorterOne() throws Exception {
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":1}"
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("Broken off");
		});
		assertThat(get().status()).isEqualTo(502);
	}

	@Test
	void aSmallChunkedBodyThatBreaksOffIsAnErrorToo() throws Exception {
		upstream().answer((out) -> {
			out.write(
					"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}"
						.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("Broken off");
		});
		assertThat(get().status()).isEqualTo(502);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json" })
	void aLargeChunkedBodyThatBreaksOffIsABrokenTransfer(String contentType) {
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n"
				.formatted(contentType)
				.getBytes(StandardCharsets.US_ASCII));
			out.write(("{\"a\":\"" + "x".repeat(4 * MAX_BUFFER_SIZE)).getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(headRead);
			throw new IOException("Broken off");
		});
		assertBrokenTransfer(headRead);
	}

	@Test
	void aLargeBodyThatBreaksOffIsABrokenTransfer() {
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
			out.write(("{\"a\":\"" + "x".repeat(4 * MAX_BUFFER_SIZE)).getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(headRead);
			throw new IOException("Broken off");
		});
		assertBrokenTransfer(headRead);
	}

	private void assertBrokenTransfer(CountDownLatch headRead) {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> HttpExchange.send(port(), KEEP_ALIVE, headRead::countDown));
		assertThat(headRead.getCount()).isZero();
	}

	final void json(String body) {
		answer("application/json", body);
	}

	final void answer(String contentType, String body) {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s".formatted(contentType,
				body.getBytes(StandardCharsets.UTF_8).length, body));
	}

	final Message get() throws IOException {
		return HttpExchange.get(port(), "/service/x");
	}

	final String metadata() {
		return "{\"type\":\"%s\",\"timestamp\":0,\"processed\":true}".formatted(gateway().flavour().label());
	}

	static String masked(Message response) {
		return response.text().replaceFirst("\"timestamp\":\\d+", "\"timestamp\":0");
	}

	private static long timestamp(String body) {
		return Long.parseLong(body.replaceFirst(".*\"timestamp\":(\\d+).*", "$1"));
	}

}
