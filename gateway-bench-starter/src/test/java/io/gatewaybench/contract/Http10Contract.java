package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Clients of HTTP/1.0 know no chunks. A body of unknown length ends with its connection,
 * and one that is cut off with a reset (RFC 9112, sections 6.3, 8 and 9.6).
 */
class Http10Contract extends SingleRouteContract {

	private static final int LARGE = 300_000;

	Http10Contract(Gateway gateway) {
		super(gateway, "gateway-bench.body-rewrite.max-buffer-size=64KB");
	}

	@ParameterizedTest
	@CsvSource({ "text/plain,2,''", "text/plain,2,Connection: keep-alive", "text/plain,300000,Connection: keep-alive",
			"text/event-stream,2,''", "application/json,300000,''", "application/json,300000,Connection: keep-alive" })
	void aBodyOfUnknownLengthComesBareAndEndsWithTheConnection(String type, int length, String connection)
			throws Exception {
		String body = "{\"a\":\"" + "x".repeat(length) + "\"}";
		upstream()
			.answer("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
				.formatted(type, body.length(), body));
		Message response = HttpExchange.send(port(), request("GET", connection));
		assertThat(response.headers("Transfer-Encoding")).isEmpty();
		assertThat(response.headers("Connection")).isSubsetOf("close");
		assertThat(response.text()).startsWith(body.substring(0, body.length() - 1))
			.endsWith(type.equals("application/json") ? "true}}" : "\"}")
			.doesNotContain("\r\n");
	}

	@Test
	void aBodyOfKnownLengthKeepsIt() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok");
		Message response = HttpExchange.send(port(), request("GET", ""));
		assertThat(response.headers("Content-Length")).containsExactly("2");
		assertThat(response.text()).isEqualTo("ok");
	}

	@Test
	void aResponseWithoutABodyHasNoChunks() throws Exception {
		upstream().answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
		assertThat(HttpExchange.send(port(), request("HEAD", "")).headers("Transfer-Encoding")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json", "text/event-stream" })
	void aBodyThatIsCutOffEndsWithAReset(String type) {
		CountDownLatch headRead = new CountDownLatch(1);
		upstream().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n{\"a\":\"%s\r\n"
				.formatted(type, LARGE + 6, "x".repeat(LARGE))
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(headRead);
			throw new IOException("Closed by the test");
		});
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> HttpExchange.send(port(), request("GET", ""), headRead::countDown))
			.withMessageContaining("reset");
		assertThat(headRead.getCount()).isZero();
	}

	private static String request(String method, String header) {
		return "%s /service/x HTTP/1.0\r\nHost: gateway\r\n%s\r\n".formatted(method,
				header.isEmpty() ? "" : header + "\r\n");
	}

}
