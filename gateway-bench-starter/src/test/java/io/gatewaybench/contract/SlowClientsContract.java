package io.gatewaybench.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.Http2Connection.Event;
import io.gatewaybench.contract.Http2Connection.Headers;
import io.gatewaybench.contract.Http2Connection.Reset;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Clients that take their time. Each of them has a connection, and may have one to an
 * upstream, which others could use.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsContract {

	private static final int HTTP2_PREFACE = 24;

	/**
	 * The preface, settings, and a head that more is to follow.
	 */
	static final byte[] HTTP2 = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0" + "\0\0\144\1\0\0\0\0\1"
			+ "\0\1x\140" + "y".repeat(96))
		.getBytes(StandardCharsets.US_ASCII);

	private static final String REQUEST = "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	private RunningGateway oneConnection;

	private RunningGateway fourConnections;

	private RunningGateway untuned;

	SlowClientsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), "server.http2.enabled=true",
				"gateway-bench.server.head-timeout=300ms", "gateway-bench.server.body-timeout=300ms");
		this.oneConnection = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.http-client.max-connections-per-instance=1",
				"gateway-bench.http-client.acquire-timeout=300ms");
		this.fourConnections = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.http-client.max-connections-per-instance=4");
		this.untuned = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.http-client.tuned=false", "gateway-bench.http-client.max-connections-per-instance=2");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.oneConnection.close();
		this.fourConnections.close();
		this.untuned.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	/**
	 * The time between two of them is no measure.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "GET /service/", "GET /service/x HTTP/1.1\r\nHost: gateway\r\nX-Slow: " })
	void aHeadThatComesByteByByteHasAnEnd(String begun) throws Exception {
		try (Socket client = connect()) {
			send(client, begun);
			sendUntilAnswered(client);
			assertThatTimeIsOver(client);
		}
		assertThat(this.upstream.pendingRequests()).isZero();
	}

	@Test
	void aHeadThatDoesNotGoOnHasAnEnd() throws Exception {
		try (Socket first = connect(); Socket second = connect(); Socket third = connect()) {
			send(first, "G");
			send(second, "GET /service/x HTTP/1.1\r\n");
			send(third, "GET /service/x HTTP/1.1\r\nHost: gateway\r\n");
			assertThatTimeIsOver(first);
			assertThatTimeIsOver(second);
			assertThatTimeIsOver(third);
		}
	}

	/**
	 * There is no request yet that could have an answer.
	 */
	@Test
	void aHeadOverHttp2ThatDoesNotGoOnHasAnEnd() throws Exception {
		try (Socket first = connect(); Socket second = connect(); Socket third = connect()) {
			first.getOutputStream().write(HTTP2, 0, 10);
			second.getOutputStream().write(HTTP2, 0, HTTP2_PREFACE + 9 + 3);
			third.getOutputStream().write(HTTP2, 0, HTTP2_PREFACE + 9 + 9 + 20);
			assertThatConnectionEnds(first);
			assertThatConnectionEnds(second);
			assertThatConnectionEnds(third);
		}
	}

	/**
	 * The first frame of a head has all its bytes, and no other one follows it.
	 */
	@Test
	void aHeadOverHttp2WithoutItsLastFrameHasAnEnd() throws Exception {
		assumeLimitOfHttp2();
		try (Socket client = connect()) {
			client.getOutputStream().write(HTTP2);
			assertThatConnectionEnds(client);
		}
	}

	@Test
	void aHeadOverHttp2ThatComesByteByByteHasAnEnd() throws Exception {
		assumeLimitOfHttp2();
		try (Socket client = connect()) {
			client.getOutputStream().write(HTTP2, 0, HTTP2_PREFACE + 9);
			assertThatThrownBy(() -> {
				for (int i = HTTP2_PREFACE + 9; i < HTTP2.length; i++) {
					client.getOutputStream().write(HTTP2, i, 1);
					LockSupport.parkNanos(50_000_000);
				}
			}).isInstanceOf(SocketException.class);
		}
	}

	@Test
	void aHeadOverHttp2AfterAnUpgradeHasAnEnd() throws Exception {
		assumeLimitOfHttp2();
		try (Socket client = connect()) {
			send(client, "GET /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade, HTTP2-Settings\r\n"
					+ "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n");
			assertThat(new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))
				.readLine()).contains(" 101 ");
			client.getOutputStream().write(HTTP2);
			assertThatConnectionEnds(client);
		}
	}

	private void assumeLimitOfHttp2() {
		Assumptions.assumeTrue(this.gateway.flavour() == Flavour.WEBFLUX,
				"Tomcat limits the time within a frame only, and has nothing public to limit a head with");
	}

	@Test
	void soHasTheHeadOfALaterRequest() throws Exception {
		try (Socket client = connect()) {
			for (int i = 0; i < 3; i++) {
				send(client, REQUEST);
				assertThat(read(client).status()).isEqualTo(204);
			}
			send(client, "GET /service/x HTTP/1.1\r\n");
			assertThatTimeIsOver(client);
		}
	}

	/**
	 * It would be taken for a part of the response.
	 */
	@Test
	void aHeadThatIsLateDoesNotSpoilTheResponseBefore() throws Exception {
		CountDownLatch late = new CountDownLatch(1);
		this.upstream.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\no"
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(late);
			out.write('k');
		});
		try (Socket client = connect(); Socket another = connect()) {
			send(client, REQUEST);
			this.upstream.request();
			send(client, "GET /serv");
			// By then, the time of the other one is over as well
			send(another, "GET /serv");
			send(another, "i");
			assertThatTimeIsOver(another);
			late.countDown();
			assertThat(read(client).text()).isEqualTo("ok");
		}
	}

	/**
	 * It has no time to begin its next request.
	 */
	@Test
	void aConnectionThatWaitsForItsNextRequestIsNotSlow() throws Exception {
		try (Socket waiting = connect(); Socket slow = connect()) {
			send(waiting, REQUEST);
			assertThat(read(waiting).status()).isEqualTo(204);
			send(slow, "GET /serv");
			assertThatTimeIsOver(slow);
			send(waiting, REQUEST);
			assertThat(read(waiting).status()).isEqualTo(204);
		}
	}

	@Test
	void aBodyThatDoesNotGoOnHasAnEndAndNoInstanceIsToBlame() throws Exception {
		List<Socket> clients = new ArrayList<>();
		for (String begun : List.of("Content-Length: 10\r\n\r\nhi", "Content-Length: 100000\r\n\r\nhi",
				"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhi")) {
			Socket client = connect();
			clients.add(client);
			send(client, "PUT /service/x HTTP/1.1\r\nHost: gateway\r\n" + begun);
		}
		for (Socket client : clients) {
			assertThatTimeIsOver(client);
			client.close();
		}
		ConnectionsContract.awaitNoConnection(this.upstream);
		assertThat(this.running.upstreamEvents("ejections")).isZero();
		assertThat(this.running.upstreamEvents("retries")).isZero();
		assertThat(HttpExchange.get(this.running.port(), "/service/x").status()).isEqualTo(204);
	}

	/**
	 * A server may reset the stream in place of an answer.
	 */
	@Test
	void aBodyThatDoesNotGoOnEndsItsStreamOfHttp2() throws Exception {
		List<Map.Entry<String, String>> head = List.of(Map.entry(":method", "PUT"), Map.entry(":scheme", "http"),
				Map.entry(":authority", "gateway"), Map.entry(":path", "/service/x"),
				Map.entry("content-length", "10"));
		try (Http2Connection client = new Http2Connection(this.running.port())) {
			Http2Connection.Stream stream = client.open(head, false);
			stream.data("hi".getBytes(StandardCharsets.US_ASCII), false);
			Event answer = stream.next(Duration.ofSeconds(20));
			assertThat(answer).isNotNull();
			if (answer instanceof Headers headers) {
				assertThat(headers.status()).isEqualTo(408);
			}
			else {
				assertThat(answer).isInstanceOf(Reset.class);
			}
			assertThat(client.isOpen()).isTrue();
		}
		ConnectionsContract.awaitNoConnection(this.upstream);
		assertThat(this.running.upstreamEvents("ejections")).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/x-www-form-urlencoded" })
	void aShortBodyThatIsStillToComeTakesNoConnectionFromOthers(String type) throws Exception {
		try (Socket slow = connect(this.oneConnection)) {
			send(slow,
					"PUT /service/slow HTTP/1.1\r\nHost: gateway\r\nContent-Type: %s\r\nContent-Length: 10\r\n\r\nhello"
						.formatted(type));
			for (int i = 0; i < 5; i++) {
				assertThat(HttpExchange.get(this.oneConnection.port(), "/service/x").status()).isEqualTo(204);
			}
			send(slow, "world");
			assertThat(read(slow).status()).isEqualTo(204);
		}
		assertThat(this.upstream.requestOf("/slow").text()).isEqualTo("helloworld");
	}

	@ParameterizedTest
	@MethodSource
	void bodiesThatAreSentAsTheyComeTakeHalfOfTheConnections(String framing, List<String> halves) throws Exception {
		String begin = "PUT /service/slow HTTP/1.1\r\nHost: gateway\r\n" + framing + "\r\n\r\n" + halves.get(0);
		try (Socket first = connect(this.fourConnections);
				Socket second = connect(this.fourConnections);
				Socket third = connect(this.fourConnections)) {
			Semaphore begun = new Semaphore(0);
			this.upstream.answerEarly((out) -> begun.release());
			for (Socket slow : List.of(first, second)) {
				send(slow, begin);
				assertThat(begun.tryAcquire(20, TimeUnit.SECONDS)).as("the body is on its way").isTrue();
			}
			send(third, begin);
			assertThat(read(third).status()).isEqualTo(503);
			for (int i = 0; i < 5; i++) {
				assertThat(HttpExchange.get(this.fourConnections.port(), "/service/x").status()).isEqualTo(204);
			}
			send(first, halves.get(1));
			assertThat(read(first).status()).isEqualTo(204);
		}
		assertThat(this.upstream.requestOf("/slow").body()).hasSize(100_000);
		for (int i = 0; i < 5; i++) {
			try (Socket later = connect(this.fourConnections)) {
				send(later, begin + halves.get(1));
				assertThat(read(later).status()).isEqualTo(204);
			}
		}
	}

	@Test
	void aClientOfUpstreamsThatIsNotTunedHasItsOwnLimit() throws Exception {
		Semaphore begun = new Semaphore(0);
		this.upstream.answerEarly((out) -> begun.release());
		try (Socket first = connect(this.untuned); Socket second = connect(this.untuned)) {
			for (Socket slow : List.of(first, second)) {
				send(slow, "PUT /service/slow HTTP/1.1\r\nHost: gateway\r\nContent-Length: 100000\r\n\r\n"
						+ "x".repeat(50_000));
				assertThat(begun.tryAcquire(20, TimeUnit.SECONDS)).as("the body is on its way").isTrue();
			}
			for (Socket slow : List.of(first, second)) {
				send(slow, "x".repeat(50_000));
				assertThat(read(slow).status()).isEqualTo(204);
			}
		}
	}

	static Stream<Arguments> bodiesThatAreSentAsTheyComeTakeHalfOfTheConnections() {
		String half = "x".repeat(50_000);
		String chunk = "c350\r\n" + half + "\r\n";
		return Stream.of(Arguments.of("Content-Length: 100000", List.of(half, half)),
				Arguments.of("Transfer-Encoding: chunked", List.of(chunk, chunk + "0\r\n\r\n")));
	}

	private static void sendUntilAnswered(Socket client) throws IOException {
		long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
		while (client.getInputStream().available() == 0) {
			send(client, "x");
			LockSupport.parkNanos(20_000_000);
			assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
		}
	}

	private static void assertThatTimeIsOver(Socket client) throws IOException {
		Message response = read(client);
		assertThat(response.status()).isEqualTo(408);
		assertThat(response.headers("Connection")).containsExactly("close");
		assertThat(hasEnded(client.getInputStream())).isTrue();
	}

	static void assertThatConnectionEnds(Socket client) throws IOException {
		client.setSoTimeout(40_000);
		try {
			client.getInputStream().readAllBytes();
		}
		catch (SocketException ex) {
			assertThat(ex).hasMessageContaining("reset");
		}
	}

	/**
	 * What has come meanwhile resets it.
	 */
	private static boolean hasEnded(InputStream in) throws IOException {
		try {
			return in.read() < 0;
		}
		catch (SocketException ex) {
			return true;
		}
	}

	private Socket connect() throws IOException {
		return connect(this.running);
	}

	private static Socket connect(RunningGateway running) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port());
		client.setTcpNoDelay(true);
		client.setSoTimeout(20_000);
		return client;
	}

	private static void send(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	private static Message read(Socket client) throws IOException {
		return Message.read(client.getInputStream(), false, () -> {
		});
	}

}
