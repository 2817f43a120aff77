package io.gatewaybench.sim;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The WebSocket, frame by frame. Frames of the client have a mask of zeros.
 */
class EventSocketTests {

	// The example of RFC 6455, section 1.3
	private static final String HANDSHAKE = """
			Host: x\r
			Connection: keep-alive, Upgrade\r
			Upgrade: WebSocket\r
			Sec-WebSocket-Version: 13\r
			Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
			\r
			""";

	private static final String CLOSE = "8882" + "00000000" + "03e8";

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
	void everyEventIsATextAndTheClientAnswersTheCloseBehindThem() throws Exception {
		open("?count=2&size=16&interval=20&delay=10");
		assertThat(frame(18)).isEqualTo("8110" + "78".repeat(16));
		assertThat(frame(18)).isEqualTo("8110" + "78".repeat(16));
		assertThat(close()).matches("backend;dur=[0-9]+\\.[0-9]+");
		assertThat(this.server.stats().get("openConnections").asInt()).isEqualTo(2);
		send(CLOSE);
		assertThat(this.in.read()).isEqualTo(-1);
		assertThat(stats().get("requests").asInt()).isEqualTo(1);
		assertThat(stats().at("/intendedMs/mean").asDouble()).isEqualTo(30.0);
		assertThat(this.server.stats().get("inFlight").asInt()).isZero();
	}

	@Test
	void theHandshakeTellsTheInstanceAndHowLongAllOfItTakes() throws Exception {
		String head = open("?count=3&interval=20");
		assertThat(head).containsIgnoringCase("\r\nUpgrade: websocket\r\n")
			.containsIgnoringCase("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
			.containsIgnoringCase("\r\nX-Backend-Instance: " + TestServer.NAME + "\r\n")
			.containsPattern("(?i)\r\nServer-Timing: backend;dur=[0-9.]+\r\n");
		assertThat(Double.parseDouble(head.replaceAll("(?s).*backend;dur=([0-9.]+).*", "$1")))
			.isGreaterThanOrEqualTo(40);
	}

	@Test
	void aClientThatDoesNotAnswerTheCloseLosesItsConnection() throws Exception {
		open("?count=1&size=16");
		frame(18);
		close();
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void aClientThatClosesFirstIsAnsweredAndForgotten() throws Exception {
		open("?count=1000&size=16&interval=1000");
		assertThat(frame(18)).startsWith("8110");
		send("8981" + "00000000" + "2a");
		assertThat(frame(3)).isEqualTo("8a012a");
		send(CLOSE);
		assertThat(frame(4)).isEqualTo("880203e8");
		assertThat(this.in.read()).isEqualTo(-1);
		await().until(() -> this.server.stats().get("inFlight").asInt() == 0);
		assertThat(stats().get("aborted").asInt()).isEqualTo(1);
	}

	@Test
	void aClientThatSendsWhatIsNoFrameLosesItsConnection() throws Exception {
		open("?count=1000&size=16&interval=1000");
		assertThat(frame(18)).startsWith("8110");
		// Without a mask
		send("8100");
		assertThat(frame(4)).startsWith("88").endsWith("03ea");
		await().until(() -> this.server.stats().get("inFlight").asInt() == 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection: .*", "Upgrade: .*", "Sec-WebSocket-Key: .*", "Sec-WebSocket-Version: .*" })
	void whatIsNoHandshakeIsRefused(String field) throws Exception {
		request("", HANDSHAKE.replaceAll(field, "X: y"));
		assertThat(head()).startsWith("HTTP/1.1 400 ");
	}

	@Test
	void aStopDuringTheStreamReleasesEverything() throws Exception {
		open("?count=1000&interval=1000");
		this.server.close();
		this.in.readAllBytes();
	}

	private JsonNode stats() {
		return this.server.stats().get("endpoints").get("socket");
	}

	private String open(String query) throws IOException {
		request(query, HANDSHAKE);
		String head = head();
		assertThat(head).startsWith("HTTP/1.1 101 ");
		return head;
	}

	private void request(String query, String fields) throws IOException {
		this.socket.getOutputStream()
			.write(("GET /api/socket" + query + " HTTP/1.1\r\n" + fields).getBytes(StandardCharsets.US_ASCII));
	}

	private void send(String frame) throws IOException {
		this.socket.getOutputStream().write(HexFormat.of().parseHex(frame));
	}

	private String frame(int length) throws IOException {
		return HexFormat.of().formatHex(this.in.readNBytes(length));
	}

	/**
	 * Reads Close with 1000.
	 * @return its reason
	 */
	private String close() throws IOException {
		assertThat(this.in.read()).isEqualTo(0x88);
		byte[] data = this.in.readNBytes(this.in.read());
		assertThat(data).startsWith(0x03, 0xe8);
		return new String(data, 2, data.length - 2, StandardCharsets.US_ASCII);
	}

	private String head() throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int next = this.in.read();
			assertThat(next).as("after %s", head).isNotNegative();
			head.append((char) next);
		}
		return head.toString();
	}

}
