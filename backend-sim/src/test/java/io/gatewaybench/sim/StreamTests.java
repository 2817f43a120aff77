package io.gatewaybench.sim;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Responses that come event by event.
 */
class StreamTests {

	private TestServer server;

	private Socket socket;

	private InputStream in;

	@BeforeEach
	void start() throws IOException {
		this.server = TestServer.withoutDelay();
		this.socket = this.server.connect();
		this.in = new BufferedInputStream(this.socket.getInputStream());
	}

	@AfterEach
	void stop() throws IOException {
		this.socket.close();
		this.server.close();
	}

	@Test
	void everyEventIsAChunkOfItsOwn() throws Exception {
		send("/api/events?count=3&size=20&interval=1");
		assertThat(head()).startsWith("HTTP/1.1 200 OK")
			.contains("\r\nContent-Type: text/event-stream\r\n", "\r\nCache-Control: no-store\r\n",
					"\r\nX-Backend-Instance: " + TestServer.NAME + "\r\n", "\r\nTransfer-Encoding: chunked\r\n")
			.doesNotContain("Content-Length", "Connection");
		String chunk = "14\r\ndata: " + "x".repeat(12) + "\n\n\r\n";
		assertThat(text(chunk.length() * 3 + 5)).isEqualTo(chunk.repeat(3) + "0\r\n\r\n");
		send("/api/hello");
		assertThat(head()).startsWith("HTTP/1.1 200 OK");
	}

	@Test
	void linesAreJsonOfTheSizeThatIsAskedFor() throws Exception {
		HttpResponse<String> response = this.server.get("/api/lines?interval=0&size=300");
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/x-ndjson");
		assertThat(response.body()).hasSize(20 * 300).endsWith("\n");
		assertThat(response.body().lines()).hasSize(20)
			.allSatisfy((line) -> assertThat(JsonMapper.shared().readTree(line).get("data").asString()).isNotEmpty());
	}

	@Test
	void anEventDoesNotWaitForTheNextOneAndAClientThatLeavesIsForgotten() throws Exception {
		send("/api/events?count=1000&size=20&interval=1000");
		head();
		assertThat(text(4)).isEqualTo("14\r\n");
		assertThat(text(20)).startsWith("data: ");
		assertThat(this.server.stats().get("inFlight").asInt()).isEqualTo(1);
		this.socket.close();
		await().until(() -> this.server.stats().get("inFlight").asInt() == 0);
		assertThat(stats("events").get("aborted").asInt()).isEqualTo(1);
		assertThat(stats("events").get("requests").asInt()).isZero();
	}

	@Test
	void theHeadTellsHowLongAllOfItTakes() throws Exception {
		HttpResponse<String> response = this.server.get("/api/lines?count=3&interval=20&delay=10");
		String timing = response.headers().firstValue("Server-Timing").orElseThrow();
		assertThat(timing).matches("backend;dur=[0-9]+\\.[0-9]{3}");
		assertThat(Double.parseDouble(timing.substring("backend;dur=".length()))).isGreaterThanOrEqualTo(50);
		await().untilAsserted(() -> assertThat(stats("lines").get("requests").asInt()).isEqualTo(1));
		assertThat(stats("lines").at("/intendedMs/mean").asDouble()).isEqualTo(50.0);
		assertThat(stats("lines").at("/achievedMs/mean").asDouble()).isGreaterThanOrEqualTo(50.0);
	}

	@ParameterizedTest
	@CsvSource({ "count=0,count takes a whole number from 1 to 1000",
			"count=1001,count takes a whole number from 1 to 1000",
			"size=15,size takes a whole number from 16 to 65536", "size=x,size takes a whole number from 16 to 65536",
			"interval=-1,interval takes a whole number from 0 to 1000",
			"interval=99999999999,interval takes a whole number from 0 to 1000" })
	void whatIsNotPossibleIsRefused(String query, String detail) throws Exception {
		HttpResponse<String> response = this.server.get("/api/events?" + query);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.json(response).get("detail").asString()).isEqualTo(detail);
	}

	@Test
	void anOldClientThatKnowsNoChunksIsRefused() throws Exception {
		this.socket.getOutputStream().write("GET /api/events HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		assertThat(head()).startsWith("HTTP/1.1 505 ");
	}

	@Test
	void aPipelinedRequestHasItsTurnAfterTheStream() throws Exception {
		send("/api/lines?count=2&size=16&interval=30");
		send("/api/lines?count=1&size=16");
		send("/api/hello");
		head();
		assertThat(text(2 * 22 + 5)).endsWith("0\r\n\r\n");
		head();
		assertThat(text(22 + 5)).endsWith("0\r\n\r\n");
		assertThat(head()).contains("Content-Type: application/json");
	}

	@Test
	void aClientThatReadsNothingDoesNotFillTheMemory() throws Exception {
		send("/api/events?count=1000&size=65536&interval=0");
		// More than all socket buffers hold
		await().during(Duration.ofMillis(200)).until(() -> stats("events").get("requests").asInt() == 0);
		head();
		this.in.skipNBytes(1000 * (5 + 2 + 65536 + 2));
		assertThat(text(5)).isEqualTo("0\r\n\r\n");
		assertThat(stats("events").get("requests").asInt()).isEqualTo(1);
	}

	@Test
	void theConnectionIsClosedBehindTheStreamWhenTheClientAsks() throws Exception {
		this.socket.getOutputStream()
			.write("GET /api/lines?count=1&size=16 HTTP/1.1\r\nConnection: close\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
		assertThat(head()).contains("\r\nConnection: close\r\n");
		assertThat(new String(this.in.readAllBytes(), StandardCharsets.US_ASCII)).endsWith("\r\n0\r\n\r\n");
	}

	@Test
	void aConnectionIsResetInTheMiddleOfTheStream() throws Exception {
		this.server.post("/sim/fault?kind=reset&for=10m", "");
		send("/api/lines?count=4&size=16&interval=0");
		head();
		assertThat(text(22)).startsWith("10\r\n{");
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.in.read())
			.withMessageContaining("reset");
	}

	private JsonNode stats(String endpoint) {
		return this.server.stats().get("endpoints").get(endpoint);
	}

	private void send(String target) throws IOException {
		this.socket.getOutputStream()
			.write(("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
	}

	private String text(int length) throws IOException {
		return new String(this.in.readNBytes(length), StandardCharsets.US_ASCII);
	}

	private String head() throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int next = this.in.read();
			assertThat(next).as("after %s", head).isNotNegative();
			head.append((char) next);
		}
		// The body of what is no stream
		String length = head.toString().replaceAll("(?s)^.*Content-Length: ([0-9]+).*$|^.*$", "$1");
		text(length.isEmpty() ? 0 : Integer.parseInt(length));
		return head.toString();
	}

}
