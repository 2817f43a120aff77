package io.gatewaybench.contract;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies of a rewritten route are compressed by the gateway, towards the client and if
 * the client asks for it. What the upstream compressed although nobody asked it to passes
 * as it is, and is never expanded.
 */
class CompressionContract extends SingleRouteContract {

	private static final int HELD = 5_000;

	private static final int STREAMED = 500_000;

	CompressionContract(Gateway gateway) {
		super(gateway, "server.compression.enabled=true");
	}

	@ParameterizedTest
	@ValueSource(ints = { HELD, STREAMED })
	void aClientThatAsksForGzipGetsTheNewBodyInGzip(int length) throws Exception {
		String members = "{\"a\":\"" + "x".repeat(length) + "\"";
		answer("Content-Type: application/json\r\nETag: \"v1\"\r\n", members + "}");
		Message response = get("gzip");
		assertThat(response.headers("Content-Encoding")).containsExactly("gzip");
		assertThat(response.body()).hasSizeLessThan(length / 2);
		assertThat(decoded(response.body())).startsWith(members + ",\"_gateway\":{\"type\":\"").endsWith("true}}");
		assertThat(response.headers("ETag")).containsExactly("W/\"v1\"");
		assertThat(varies(response)).containsOnlyOnce("accept-encoding");
	}

	@ParameterizedTest
	@ValueSource(strings = { "identity", "gzip;q=0" })
	void aClientThatDoesNotAskGetsTheNewBodyPlain(String acceptEncoding) throws Exception {
		String members = "{\"a\":\"" + "x".repeat(HELD) + "\"";
		answer("Content-Type: application/json\r\n", members + "}");
		Message response = get(acceptEncoding);
		assertThat(response.header("Content-Encoding")).isNull();
		assertThat(response.text()).startsWith(members + ",\"_gateway\":{");
		assertThat(response.header("Content-Length")).isEqualTo(String.valueOf(response.body().length));
		assertThat(varies(response)).containsOnlyOnce("accept-encoding");
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "GZIP;q=0.5", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8, *;q=0.1",
			"snappy, gzip", "identity;q=0.5, gzip;q=1.0" })
	void aClientThatAcceptsGzipAmongOthersGetsWhatItAccepts(String acceptEncoding) throws Exception {
		String body = "x".repeat(HELD);
		answer("Content-Type: text/plain\r\n", body);
		Message response = get(acceptEncoding);
		assertThat(response.headers("Content-Encoding")).containsExactly("gzip");
		assertThat(decoded(response.body())).isEqualTo(body);
		assertThat(varies(response)).containsOnlyOnce("accept-encoding");
	}

	@Test
	void aClientThatAcceptsAnythingGetsACodingThatIsCommon() throws Exception {
		String body = "x".repeat(HELD);
		answer("Content-Type: text/plain\r\n", body);
		Message response = get("*");
		assertThat(response.headers("Content-Encoding")).isSubsetOf("gzip");
		assertThat((response.header("Content-Encoding") != null) ? decoded(response.body()) : response.text())
			.isEqualTo(body);
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip;q=0", "gzip;q=0.000", "gzip;q=0, *", "*;q=0", "snappy", "xgzip", "gzip-x",
			"compress", "identity", "gzip;q=x" })
	void aCodingThatTheClientDoesNotAcceptIsNotUsed(String acceptEncoding) throws Exception {
		String body = "x".repeat(HELD);
		answer("Content-Type: text/plain\r\n", body);
		Message response = get(acceptEncoding);
		assertThat(response.headers("Content-Encoding")).isEmpty();
		assertThat(response.text()).isEqualTo(body);
	}

	@ParameterizedTest
	@ValueSource(strings = { "206 Partial Content\r\nContent-Range: bytes 0-4999/9000",
			"200 OK\r\nCache-Control: public, no-transform", "200 OK\r\nETag: \"v1\"",
			"200 OK\r\nContent-Digest: sha-256=:x:", "200 OK\r\nRepr-Digest: sha-256=:x:", "200 OK\r\nDigest: md5=x",
			"200 OK\r\nContent-MD5: x" })
	void whatWouldBeAnotherBodyIsNotCoded(String head) throws Exception {
		String body = "x".repeat(HELD);
		upstream().answer(
				"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s".formatted(head, HELD, body));
		Message response = get("gzip");
		assertThat(response.headers("Content-Encoding")).isEmpty();
		assertThat(response.text()).isEqualTo(body);
		assertThat(response.headers()).usingElementComparator(String.CASE_INSENSITIVE_ORDER)
			.contains(head.split("\r\n")[head.contains("\r\n") ? 1 : 0]);
	}

	@Test
	void whatTheUpstreamSaysAboutOtherHeadersStays() throws Exception {
		answer("Content-Type: application/json\r\nVary: Origin, Accept-Encoding\r\n", "{\"a\":1}");
		assertThat(varies(get("gzip"))).containsOnlyOnce("origin", "accept-encoding");
		answer("Content-Type: application/json\r\nVary: *\r\n", "{\"a\":1}");
		assertThat(varies(get("gzip"))).contains("*");
	}

	@ParameterizedTest
	@CsvSource({ "gzip,gzip", "gzip,identity", "GZIP,gzip", "x-gzip,gzip", "deflate,deflate", "br,br", "x-new,gzip",
			"'gzip, br',gzip" })
	void whatTheUpstreamCompressedUnaskedPassesByteForByte(String coding, String acceptEncoding) throws Exception {
		byte[] body = gzip(("{\"a\":\"" + "x".repeat(HELD) + "\"}").getBytes(StandardCharsets.UTF_8));
		answer("Content-Type: application/json\r\nETag: \"v1\"\r\nContent-Encoding: " + coding + "\r\n", body);
		Message response = get(acceptEncoding);
		// Jetty's client writes the names of well-known codings in its own way
		assertThat(response.header("Content-Encoding")).isEqualToIgnoringCase(coding);
		assertThat(response.body()).isEqualTo(body);
		assertThat(response.headers("Content-Length")).containsExactly(String.valueOf(body.length));
		assertThat(response.headers("ETag")).containsExactly("\"v1\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "deflate", "br" })
	void noBodyIsCompressedTwice(String coding) throws Exception {
		byte[] body = gzip("{\"a\":1}".repeat(5_000).getBytes(StandardCharsets.UTF_8));
		byte[] large = Arrays.copyOf(body, HELD);
		answer("Content-Type: application/json\r\nContent-Encoding: " + coding + "\r\n", large);
		Message response = get("gzip");
		assertThat(response.headers("Content-Encoding")).containsExactly(coding);
		assertThat(response.body()).isEqualTo(large);
	}

	@Test
	void aCompressedBodyOfUnknownLengthPassesByteForByte() throws Exception {
		byte[] body = gzip("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
		upstream().answer((out) -> {
			out.write(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
					+ "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length) + "\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			out.write(body);
			out.write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		});
		Message response = get("gzip");
		assertThat(response.headers("Content-Encoding")).containsExactly("gzip");
		assertThat(response.body()).isEqualTo(body);
	}

	@Test
	void aBodyThatWouldExpandAThousandfoldStaysSmall() throws Exception {
		byte[] bomb = gzip(new byte[10_000_000]);
		assertThat(bomb).hasSizeLessThan(20_000);
		answer("Content-Type: application/json\r\nContent-Encoding: gzip\r\n", bomb);
		assertThat(get("gzip").body()).isEqualTo(bomb);
	}

	private Message get(String acceptEncoding) throws IOException {
		return HttpExchange.send(port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nAccept-Encoding: %s\r\nConnection: close\r\n\r\n"
					.formatted(acceptEncoding));
	}

	private void answer(String headers, String body) {
		answer(headers, body.getBytes(StandardCharsets.UTF_8));
	}

	private void answer(String headers, byte[] body) {
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n".formatted(headers, body.length)
				.getBytes(StandardCharsets.US_ASCII));
			out.write(body);
		});
	}

	private static List<String> varies(Message response) {
		return response.headers("Vary")
			.stream()
			.flatMap((line) -> List.of(line.split("\\s*,\\s*")).stream())
			.map((name) -> name.toLowerCase(Locale.ROOT))
			.toList();
	}

	private static byte[] gzip(byte[] body) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
			out.write(body);
		}
		return bytes.toByteArray();
	}

	private static String decoded(byte[] body) throws IOException {
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
