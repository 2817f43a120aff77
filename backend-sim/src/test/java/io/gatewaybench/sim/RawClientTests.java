package io.gatewaybench.sim;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Clients that are slow, hostile or merely unusual, byte by byte.
 */
class RawClientTests {

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
	void pipelinedRequestsAreAnsweredInOrder() throws IOException {
		send(get("/api/hello?delay=80") + post("/api/process?delay=20", "[1]") + get("/nowhere")
				+ get("/api/data?delay=0") + post("/api/process", "[2]") + get("/api/hello"));
		assertThat(response().body).contains("Hello");
		assertThat(response().body).contains("\"request\":[1]");
		assertThat(response().status).isEqualTo(404);
		assertThat(response().body).contains("\"count\":32");
		assertThat(response().body).contains("\"request\":[2]");
		assertThat(response().body).contains("Hello");
		send(get("/api/hello"));
		assertThat(response().status).isEqualTo(200);
	}

	@Test
	void aPipeliningClientThatReadsNothingIsNotReadFromForever() throws Exception {
		// More responses than all socket buffers hold
		int requests = 400;
		Thread sender = Thread.ofPlatform().start(() -> {
			try {
				send(get("/api/heavy").repeat(requests));
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		Awaitility.await().during(Duration.ofMillis(200)).until(() -> answered("heavy") < requests);
		for (int i = 0; i < requests; i++) {
			assertThat(response().body.length()).isGreaterThan(48_000);
		}
		sender.join();
		assertThat(answered("heavy")).isEqualTo(requests);
	}

	@Test
	void aRequestThatArrivesInPiecesIsAnswered() throws IOException {
		for (char piece : post("/api/process", "{\"slow\": true}").toCharArray()) {
			send(String.valueOf(piece));
		}
		assertThat(response().body).contains("\"request\":{\"slow\": true}");
	}

	@Test
	void aChunkedRequestIsAnswered() throws IOException {
		send("POST /api/process HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n");
		assertThat(response().body).contains("\"request\":[1,2]");
	}

	@Test
	void aClientThatLeavesDuringTheDelayIsCountedAndForgotten() throws IOException {
		send(get("/api/heavy?delay=60000"));
		Awaitility.await().until(() -> this.server.stats().get("inFlight").asInt() == 1);
		this.socket.close();
		Awaitility.await().until(() -> this.server.stats().get("inFlight").asInt() == 0);
		assertThat(this.server.stats().get("endpoints").get("heavy").get("aborted").asInt()).isEqualTo(1);
		assertThat(answered("heavy")).isZero();
	}

	@Test
	void aClientThatLeavesInTheMiddleOfABodyIsForgotten() throws IOException {
		send("POST /api/process HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n[1");
		Awaitility.await().until(() -> this.server.stats().get("openConnections").asInt() == 2);
		this.socket.close();
		Awaitility.await().until(() -> this.server.stats().get("openConnections").asInt() == 1);
	}

	@Test
	void aStopDuringTheDelayReleasesEverything() throws IOException {
		send(get("/api/heavy?delay=60000") + post("/api/process", "[1]"));
		Awaitility.await().until(() -> this.server.stats().get("inFlight").asInt() == 1);
		this.server.close();
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void theBodyIsAskedForWhenTheClientWaits() throws IOException {
		send("POST /api/process HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
		assertThat(line()).isEqualTo("HTTP/1.1 100 Continue");
		assertThat(line()).isEmpty();
		send("[1]");
		assertThat(response().body).contains("\"request\":[1]");
	}

	@Test
	void aPipelinedClientIsAskedForTheBodyInItsTurn() throws IOException {
		send(get("/api/hello?delay=50")
				+ "POST /api/process HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
		assertThat(response().body).contains("Hello");
		assertThat(line()).isEqualTo("HTTP/1.1 100 Continue");
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST /nowhere HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n",
			"POST /api/process HTTP/1.1\r\nContent-Length: 1048577\r\nExpect: 100-continue\r\n\r\n",
			"POST /api/process HTTP/1.1\r\nContent-Length: 3\r\nExpect: miracles\r\n\r\n" })
	void aBodyThatIsNotWantedIsNotAskedFor(String head) throws IOException {
		send(head);
		Response response = response();
		assertThat(response.status).isIn(404, 413, 417);
		assertThat(response.head).contains("\r\nConnection: close\r\n");
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nonsense\r\n\r\n", "GET /api/hello HTTP/1.1\r\nbroken field\r\n\r\n",
			"POST /api/process HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
			"POST /api/process HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
			"POST /api/process HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" })
	void whatIsNoHttpIsRefused(String request) throws IOException {
		send(request);
		Response response = response();
		assertThat(response.status).isEqualTo(400);
		assertThat(response.head).contains("\r\nConnection: close\r\n");
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void anEndlessRequestLineIsRefused() throws IOException {
		send("GET /" + "x".repeat(SimServer.MAX_REQUEST_LINE));
		assertThat(response().status).isEqualTo(414);
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void anEndlessHeaderIsRefused() throws IOException {
		send("GET /api/hello HTTP/1.1\r\nX-Long: " + "x".repeat(SimServer.MAX_HEADER));
		assertThat(response().status).isEqualTo(431);
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void aClientThatKeepsSendingStillReadsWhyItWasRefused() throws IOException {
		send("POST /api/process HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n");
		send("x".repeat(500_000));
		Response response = response();
		assertThat(response.status).isEqualTo(413);
		assertThat(response.body).contains("longer than 1048576 bytes");
	}

	@Test
	void theBodyOfARefusedRequestIsSkipped() throws IOException {
		send(post("/nowhere", "GET /api/hello HTTP/1.1\r\n\r\n") + get("/api/data"));
		assertThat(response().status).isEqualTo(404);
		assertThat(response().body).contains("\"count\":32");
	}

	@Test
	void theConnectionIsClosedWhenTheClientAsks() throws IOException {
		send("GET /api/heavy?delay=5 HTTP/1.1\r\nConnection: close\r\n\r\n" + get("/api/hello"));
		Response response = response();
		assertThat(response.head).contains("\r\nConnection: close\r\n");
		assertThat(response.body).contains("\"count\":128");
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void anOldClientGetsTheConnectionItAsksFor() throws IOException {
		send("GET /api/hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
		assertThat(response().head).contains("\r\nConnection: keep-alive\r\n");
		send("GET /api/hello HTTP/1.0\r\n\r\n");
		assertThat(response().head).contains("\r\nConnection: close\r\n");
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void headHasNoBodyOnTheWire() throws IOException {
		send("HEAD /api/heavy HTTP/1.1\r\n\r\n" + get("/api/hello"));
		assertThat(head()).startsWith("HTTP/1.1 200 OK");
		assertThat(response().body).contains("Hello");
	}

	@Test
	void aConnectionIsResetInTheMiddleOfTheBody() throws Exception {
		this.server.post("/sim/fault?kind=reset&for=10m", "");
		send(get("/api/data"));
		String head = head();
		assertThat(head).startsWith("HTTP/1.1 200 OK").doesNotContain("Connection:");
		int length = Integer.parseInt(head.replaceAll("(?s).*\r\nContent-Length: ([0-9]+)\r\n.*", "$1"));
		assertThat(this.in.readNBytes(length / 2)).hasSize(length / 2);
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.in.read())
			.withMessageContaining("reset");
	}

	@Test
	void everyTenthResponseEndsTheConnectionWithoutSayingSo() throws Exception {
		this.server.post("/sim/fault?kind=closing&for=10m", "");
		for (int i = 0; i < 10; i++) {
			send(get("/api/hello"));
			assertThat(response().head).doesNotContain("Connection:");
		}
		assertThat(this.in.read()).isEqualTo(-1);
	}

	@Test
	void aPortThatIsShutResetsWhatIsOpenAndRefusesWhatIsNewUntilItOpensAgain() throws Exception {
		send(get("/api/hello"));
		assertThat(response().status).isEqualTo(200);
		assertThat(this.server.post("/sim/fault?kind=refuse&for=500ms", "").statusCode()).isEqualTo(200);
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.in.read())
			.withMessageContaining("reset");
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> this.server.connect());
		Awaitility.await().ignoreExceptions().until(() -> this.server.get("/api/hello").statusCode() == 200);
	}

	@Test
	void aRequestIsRefusedBeforeItsBodyHasCome() throws Exception {
		this.server.post("/sim/fault?kind=early-responses&for=10m", "");
		send(get("/api/data"));
		assertThat(response().status).isEqualTo(200);
		send("POST /api/process HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
		Response refusal = response();
		assertThat(refusal.status).isEqualTo(413);
		assertThat(refusal.head).contains("\r\nConnection: close\r\n");
		assertThat(refusal.body).contains("before its body has come");
	}

	@Test
	void interimResponsesComeBeforeTheResponse() throws Exception {
		this.server.post("/sim/fault?kind=interim-responses&for=10m", "");
		send(get("/api/hello"));
		assertThat(head()).startsWith("HTTP/1.1 100 ");
		assertThat(head()).startsWith("HTTP/1.1 102 ");
		assertThat(head()).startsWith("HTTP/1.1 103 ").contains("\r\nLink: ");
		assertThat(response().status).isEqualTo(200);
	}

	private int answered(String endpoint) {
		return this.server.stats().get("endpoints").get(endpoint).get("requests").asInt();
	}

	private static String get(String path) {
		return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
	}

	private static String post(String path, String body) {
		return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
	}

	private void send(String text) throws IOException {
		OutputStream out = this.socket.getOutputStream();
		out.write(text.getBytes(StandardCharsets.UTF_8));
		out.flush();
	}

	private Response response() throws IOException {
		String head = head();
		String length = head.replaceAll("(?s).*\r\nContent-Length: ([0-9]+)\r\n.*", "$1");
		byte[] body = this.in.readNBytes(Integer.parseInt(length));
		return new Response(Integer.parseInt(head.substring(9, 12)), head, new String(body, StandardCharsets.UTF_8));
	}

	private String head() throws IOException {
		StringBuilder head = new StringBuilder();
		for (String line = line(); !line.isEmpty(); line = line()) {
			head.append(line).append("\r\n");
		}
		return head.toString();
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next < 0) {
				throw new EOFException("after '" + line + "'");
			}
			line.append((char) next);
		}
		return line.substring(0, line.length() - 1);
	}

	private record Response(int status, String head, String body) {
	}

}
