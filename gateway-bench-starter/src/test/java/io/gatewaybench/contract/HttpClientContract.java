package io.gatewaybench.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client for requests to upstreams passes on what it gets, and lets go of what nobody
 * wants any more. Whichever client it is.
 */
class HttpClientContract extends SingleRouteContract {

	HttpClientContract(Gateway gateway) {
		super(gateway, "gateway-bench.body-rewrite.enabled=false");
	}

	@BeforeEach
	void answerEverything() {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	}

	@AfterEach
	void forgetRequests() throws InterruptedException {
		while (upstream().pendingRequests() > 0) {
			upstream().request();
		}
	}

	@Test
	void theUpstreamIsAskedForNothingThatTheClientDidNotAskFor() throws Exception {
		assertThat(HttpExchange.get(port(), "/service/x").status()).isEqualTo(200);
		Message request = upstream().request();
		assertThat(request.startLine()).isEqualTo("GET /x HTTP/1.1");
		assertThat(request.headers().stream().map((header) -> header.split(":")[0].toLowerCase(Locale.ROOT)))
			.doesNotContain("accept-encoding", "upgrade", "http2-settings", "cookie", "authorization", "te");
	}

	@Test
	void aCompressedBodyStaysCompressed() throws Exception {
		byte[] compressed = gzip("hello ".repeat(1000));
		upstream().answer((out) -> {
			out.write(
					"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
						.formatted(compressed.length)
						.getBytes(StandardCharsets.US_ASCII));
			out.write(compressed);
		});
		Message response = HttpExchange.send(port(),
				"GET /service/x HTTP/1.1\r\nHost: gateway\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
		assertThat(response.header("Content-Encoding")).isEqualTo("gzip");
		assertThat(response.body()).isEqualTo(compressed);
		assertThat(upstream().request().headers("Accept-Encoding")).containsExactly("gzip");
	}

	@Test
	void cookiesOfOneClientAreNotSentForAnother() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nSet-Cookie: session=secret; Path=/\r\nContent-Length: 0\r\n\r\n");
		Message response = HttpExchange.get(port(), "/service/login");
		assertThat(response.headers("Set-Cookie")).containsExactly("session=secret; Path=/");
		HttpExchange.get(port(), "/service/next");
		assertThat(upstream().request().headers("Cookie")).isEmpty();
		assertThat(upstream().request().headers("Cookie")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			302 Found               | Location: /elsewhere
			307 Temporary Redirect  | Location: http://127.0.0.1:1/
			401 Unauthorized        | WWW-Authenticate: Basic realm="x"
			401 Unauthorized        | WWW-Authenticate: Digest realm="x", nonce="y"
			429 Too Many Requests   | Retry-After: 0
			503 Service Unavailable | Retry-After: 0
			""")
	void theClientDecidesWhatToDoNext(String status, String header) throws Exception {
		upstream().answer("HTTP/1.1 %s\r\n%s\r\nContent-Length: 0\r\n\r\n".formatted(status, header));
		Message response = HttpExchange.get(port(), "/service/x");
		assertThat(response.startLine()).contains(status.substring(0, 3));
		assertThat(response.header(header.split(":")[0])).isEqualTo(header.split(": ", 2)[1]);
		assertThat(upstream().pendingRequests()).isEqualTo(1);
	}

	@Test
	void connectionsAreUsedAgain() throws Exception {
		HttpExchange.get(port(), "/service/x");
		int connections = upstream().acceptedConnections();
		for (int i = 0; i < 50; i++) {
			HttpExchange.get(port(), "/service/x");
		}
		// A request can come before the connection of the one before is free again
		assertThat(upstream().acceptedConnections()).isLessThan(connections + 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/event-stream", "application/octet-stream", "application/json" })
	void theUpstreamIsLetGoWhenTheClientOfAStreamLeaves(String contentType) throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		upstream().answer((out) -> {
			try {
				stream(out, contentType);
			}
			finally {
				released.countDown();
			}
		});
		readSomeAndLeave(port());
		RawUpstream.await(released);
	}

	/**
	 * Answer without end.
	 */
	static void stream(OutputStream out, String contentType) throws IOException {
		out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n".formatted(contentType)
			.getBytes(StandardCharsets.US_ASCII));
		byte[] chunk = ("400\r\n" + "data: x\n".repeat(128) + "\r\n").getBytes(StandardCharsets.US_ASCII);
		while (true) {
			out.write(chunk);
		}
	}

	static void readSomeAndLeave(int port) throws IOException {
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
			client.setSoTimeout(20_000);
			client.getOutputStream().write(HttpExchange.getRequest("/service/x").getBytes(StandardCharsets.US_ASCII));
			InputStream in = client.getInputStream();
			assertThat(in.readNBytes(2000)).hasSize(2000)
				.startsWith("HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII));
		}
	}

	private static byte[] gzip(String text) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
			out.write(text.getBytes(StandardCharsets.US_ASCII));
		}
		return bytes.toByteArray();
	}

}
