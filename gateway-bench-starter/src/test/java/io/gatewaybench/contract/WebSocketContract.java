package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.contract.WebSocketPeer.Frame;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * WebSockets (RFC 6455) through the gateway.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebSocketContract {

	private static final String TIMEOUTS = "gateway-bench.upstreams.service.timeouts.";

	private static final String OPEN = "gateway.bench.websockets.open";

	private final Gateway gateway;

	private WebSocketUpstream upstream;

	private RunningGateway running;

	WebSocketContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new WebSocketUpstream();
		this.running = startOwn(TIMEOUTS + "response=20s", TIMEOUTS + "read=200ms");
	}

	private RunningGateway startOwn(String... properties) {
		return this.gateway.startWithRoute(List.of(this.upstream.url()), properties);
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() {
		awaitNoneOpen();
		this.upstream.startOver();
	}

	private void awaitNoneOpen() {
		await(() -> assertThat(open(this.running)).isZero());
		await(() -> assertThat(CircuitBreakerContract.watches(this.running)).isZero());
	}

	private static void await(org.awaitility.core.ThrowingRunnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion);
	}

	private static double open(RunningGateway running) {
		return meters(running).get(OPEN).gauge().value();
	}

	private static MeterRegistry meters(RunningGateway running) {
		return running.context().getBean(MeterRegistry.class);
	}

	private WebSocketPeer ask(String... more) throws IOException {
		return WebSocketPeer.client(this.running.port(), "/service/x?a=%2F&b", more);
	}

	private WebSocketPeer open(String... more) throws IOException {
		return opened(ask(more));
	}

	private static WebSocketPeer opened(WebSocketPeer client) throws IOException {
		try {
			assertOpened(client.readHead());
			return client;
		}
		catch (IOException | AssertionError ex) {
			client.close();
			throw ex;
		}
	}

	/**
	 * The session opens, and what is longer than a record of TLS comes back.
	 */
	static void assertEchoes(WebSocketPeer client) throws IOException {
		assertOpened(client.readHead());
		String text = "text".repeat(25_000);
		client.sendText(text);
		assertThat(client.readText()).isEqualTo(text);
		client.sendClose(1000);
		assertClosed(client, 1000);
	}

	private static void assertOpened(Message head) {
		assertThat(head.startLine()).startsWith("HTTP/1.1 101");
		assertThat(head.headers("Upgrade")).containsExactly("websocket");
		// Tomcat adds keep-alive
		assertThat(head.header("Connection")).startsWithIgnoringCase("upgrade");
		assertThat(head.headers("Sec-WebSocket-Accept")).containsExactly(WebSocketPeer.ACCEPT);
		assertThat(head.headers("Content-Length")).isEmpty();
		assertThat(head.headers("Transfer-Encoding")).isEmpty();
	}

	@Test
	void framesPassAsTheyAreAndSilenceIsNoFault() throws Exception {
		try (WebSocketPeer client = open()) {
			client.sendText("text");
			assertThat(client.readText()).isEqualTo("text");
			client.send(WebSocketPeer.BINARY, new byte[] { 0, 1, -1 });
			assertThat(client.read().payload()).containsExactly(0, 1, -1);
			// A message in three frames, with a ping in between, and a bit of an
			// extension
			for (int first : new int[] { 0x41, 0x89, 0x00, 0x80 }) {
				client.send(first, new byte[] { (byte) first });
				Frame frame = client.read();
				assertThat(frame.first()).isEqualTo(first);
				assertThat(frame.payload()).containsExactly(first);
			}
			// Several times as long as the timeouts
			Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> open(this.running) == 1);
			client.sendText("later");
			assertThat(client.readText()).isEqualTo("later");
			client.sendClose(1000);
			assertClosed(client, 1000);
			assertThat(client.isEnded()).isTrue();
		}
	}

	@Test
	void aHandshakeMayHaveALengthOfZero() throws Exception {
		try (WebSocketPeer client = ask("Content-Length: 0")) {
			assertEchoes(client);
		}
		assertThat(this.upstream.handshake().headers("Content-Length")).isEmpty();
	}

	private static void assertClosed(WebSocketPeer peer, int code) throws IOException {
		Frame frame = peer.read();
		assertThat(frame.first()).isEqualTo(WebSocketPeer.CLOSE);
		assertThat(frame.code()).isEqualTo(code);
	}

	@Test
	void framesMayComeByteByByte() throws Exception {
		try (WebSocketPeer client = open()) {
			for (byte single : client.frame(WebSocketPeer.TEXT, "slow".getBytes(StandardCharsets.US_ASCII))) {
				client.write(new byte[] { single });
			}
			assertThat(client.readText()).isEqualTo("slow");
		}
	}

	/**
	 * Larger than any buffer on the way, and both sides write before they read on.
	 */
	@Test
	void aMessageMayBeLarge() throws Exception {
		byte[] large = new byte[20_000_000];
		Arrays.fill(large, (byte) 'x');
		try (WebSocketPeer client = open()) {
			Thread sender = new Thread(() -> {
				try {
					client.send(WebSocketPeer.BINARY, large);
				}
				catch (IOException ex) {
					// The client reads nothing then
				}
			});
			sender.start();
			assertThat(client.read().payload()).isEqualTo(large);
			sender.join();
		}
	}

	@Test
	void framesMayFollowTheHandshakeAtOnce() throws Exception {
		this.upstream.follow((peer) -> {
			peer.accept();
			peer.sendText("first");
			WebSocketUpstream.echo(peer);
		});
		try (WebSocketPeer client = ask()) {
			opened(client);
			assertThat(client.readText()).isEqualTo("first");
		}
	}

	@Test
	void theHandshakePassesAsARequestDoes() throws Exception {
		this.upstream.follow((peer) -> {
			peer.accept("Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Extensions: permessage-deflate",
					"From: upstream");
			WebSocketUpstream.echo(peer);
		});
		try (WebSocketPeer client = ask("Sec-WebSocket-Protocol: chat, other",
				"Sec-WebSocket-Extensions: permessage-deflate", "Origin: http://page", "Cookie: a=b")) {
			Message answer = client.readHead();
			assertThat(answer.headers("Sec-WebSocket-Protocol")).containsExactly("chat");
			assertThat(answer.headers("Sec-WebSocket-Extensions")).containsExactly("permessage-deflate");
			assertThat(answer.headers("From")).containsExactly("upstream");
			assertThat(answer.headers("X-Gateway-Instance")).containsExactly("the-gateway");
		}
		Message handshake = this.upstream.handshake();
		assertThat(handshake.startLine()).isEqualTo("GET /x?a=%2F&b HTTP/1.1");
		assertThat(handshake.headers("Host")).containsExactly("127.0.0.1:" + this.upstream.port());
		assertThat(handshake.headers("Connection")).singleElement().asString().isEqualToIgnoringCase("upgrade");
		assertThat(handshake.headers("Upgrade")).containsExactly("websocket");
		assertThat(handshake.headers("Sec-WebSocket-Key")).containsExactly(WebSocketPeer.KEY);
		assertThat(handshake.headers("Sec-WebSocket-Version")).containsExactly("13");
		assertThat(handshake.headers("Sec-WebSocket-Protocol")).containsExactly("chat, other");
		assertThat(handshake.headers("Sec-WebSocket-Extensions")).containsExactly("permessage-deflate");
		assertThat(handshake.headers("Origin")).containsExactly("http://page");
		assertThat(handshake.headers("Cookie")).containsExactly("a=b");
		assertThat(handshake.headers("X-Gateway-Type")).hasSize(1);
		this.upstream.follow((peer) -> peer.write("HTTP/1.1 204 No Content\r\n\r\n"));
		HttpExchange.send(this.running.port(), "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n");
		assertThat(forwarded(handshake)).isEqualTo(forwarded(this.upstream.handshake()));
		assertThat(handshake.headers("Content-Length")).isEmpty();
		assertThat(handshake.headers("Transfer-Encoding")).isEmpty();
	}

	private static List<String> forwarded(Message request) {
		return request.headers().stream().filter((line) -> line.matches("(?i)(x-)?forwarded.*")).sorted().toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 6\r\n\r\nsecret",
			"Transfer-Encoding: chunked\r\n\r\n3;a\r\nsec\r\n3\r\nret\r\n0\r\n\r\n",
			"Connection: close\r\n\r\nsecret" })
	void aRefusalPassesAsAnyResponse(String rest) throws Exception {
		this.upstream.follow((peer) -> peer
			.write("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 403 Forbidden\r\nFrom: upstream\r\n" + rest));
		try (WebSocketPeer client = ask()) {
			Message answer = client.readMessage();
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.text()).isEqualTo("secret");
			assertThat(answer.headers("From")).containsExactly("upstream");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n",
			"Connection: Upgrade\r\nUpgrade: websocket\r\n",
			"Connection: Upgrade\r\nUpgrade: h2c\r\nSec-WebSocket-Accept: " + WebSocketPeer.ACCEPT + "\r\n",
			"Upgrade: websocket\r\nSec-WebSocket-Accept: " + WebSocketPeer.ACCEPT + "\r\n" })
	void anotherAnswerThanTheHandshakeAsksForIsAFailure(String headers) throws Exception {
		this.upstream.follow((peer) -> {
			peer.write("HTTP/1.1 101 Switching Protocols\r\n" + headers + "\r\n");
			peer.isEnded();
		});
		try (WebSocketPeer client = ask()) {
			Problems.assertProblem(client.readMessage(), 502, Problems.BROKEN);
		}
		assertThat(this.upstream.end()).isEqualTo("end");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "HTTP/1.1 101 Swi", "nonsense\r\n\r\n", "HTTP/1.1 101 x\r\nno colon\r\n\r\n" })
	void anUpstreamThatBreaksOffIsAFailure(String answer) throws Exception {
		this.upstream.follow((peer) -> peer.write(answer));
		try (WebSocketPeer client = ask()) {
			Problems.assertProblem(client.readMessage(), 502, Problems.BROKEN);
		}
	}

	@Test
	void anUpstreamThatIsSilentIsTooSlow() throws Exception {
		this.upstream.follow((peer) -> peer.isEnded());
		try (RunningGateway own = startOwn(TIMEOUTS + "response=300ms");
				WebSocketPeer client = WebSocketPeer.client(own.port(), "/service/x")) {
			Problems.assertProblem(client.readMessage(), 504, Problems.RESPONSE_TIMEOUT);
			assertThat(this.upstream.end()).isIn("end", "reset");
		}
	}

	@Test
	void closeCodesPassBothWaysAndAreCounted() throws Exception {
		double before = closed("4xxx") + closed("1001");
		this.upstream.follow((peer) -> {
			peer.accept();
			peer.sendClose(4001);
			assertClosed(peer, 4001);
		});
		try (WebSocketPeer client = open()) {
			assertClosed(client, 4001);
			client.sendClose(4001);
			assertThat(client.isEnded()).isTrue();
		}
		assertThat(this.upstream.end()).isEqualTo("end");
		this.upstream.follow(WebSocketUpstream.ECHO);
		try (WebSocketPeer client = open()) {
			client.sendClose(1001);
			assertClosed(client, 1001);
		}
		await(() -> assertThat(closed("4xxx") + closed("1001") - before).isEqualTo(2));
	}

	private double closed(String code) {
		return meters(this.running).find("gateway.bench.websockets.closed")
			.tag("code", code)
			.tag("upstream", "service")
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	@Test
	void bytesAndRequestsAreCounted() throws Exception {
		double fromClient = bytes("client");
		double fromUpstream = bytes("upstream");
		try (WebSocketPeer client = open()) {
			client.sendText("four");
			assertThat(client.readText()).isEqualTo("four");
			assertThat(open(this.running)).isEqualTo(1);
			assertThat(bytes("client") - fromClient).isEqualTo(2 + 4 + 4);
			assertThat(bytes("upstream") - fromUpstream).isEqualTo(2 + 4);
		}
		long before = requests();
		await(() -> assertThat(requests()).isPositive().isGreaterThanOrEqualTo(before));
	}

	private double bytes(String from) {
		FunctionCounter counter = meters(this.running).get("gateway.bench.websockets.bytes")
			.tag("from", from)
			.functionCounter();
		return counter.count();
	}

	private long requests() {
		return meters(this.running).find("gateway.bench.requests")
			.tag("status", "101")
			.timers()
			.stream()
			.mapToLong((timer) -> timer.count())
			.sum();
	}

	@Test
	void anUpstreamThatResetsEndsTheSession() throws Exception {
		double before = closed("1006");
		this.upstream.follow((peer) -> {
			peer.accept();
			peer.sendText("text");
			peer.reset();
		});
		try (WebSocketPeer client = open()) {
			client.isEnded();
			await(() -> assertThat(closed("1006") - before).isEqualTo(1));
		}
	}

	@Test
	void aClientThatResetsEndsTheSession() throws Exception {
		try (WebSocketPeer client = open()) {
			client.sendText("text");
			assertThat(client.readText()).isEqualTo("text");
			client.reset();
		}
		assertThat(this.upstream.end()).isIn("end", "reset");
	}

	/**
	 * As one does that waits for the Close frame of the other side.
	 */
	@Test
	void aClientThatSendsNoMoreStillGetsWhatComes() throws Exception {
		this.upstream.follow((peer) -> {
			peer.accept();
			Frame close = peer.read();
			assertThat(peer.isEnded()).isTrue();
			peer.sendText("last");
			peer.send(close.first(), close.payload());
		});
		try (WebSocketPeer client = open()) {
			client.sendClose(1000);
			client.shutdownOutput();
			assertThat(client.readText()).isEqualTo("last");
			assertClosed(client, 1000);
			assertThat(client.isEnded()).isTrue();
		}
	}

	/**
	 * The upstream can send only what fits into the buffers on the way.
	 */
	@Test
	void aClientThatDoesNotReadHoldsTheUpstreamBack() throws Exception {
		AtomicLong sent = new AtomicLong();
		byte[] piece = new byte[100_000];
		this.upstream.follow((peer) -> {
			peer.accept();
			while (true) {
				peer.send(WebSocketPeer.BINARY, piece);
				sent.addAndGet(piece.length);
			}
		});
		try (WebSocketPeer client = open()) {
			long[] before = { -1 };
			Awaitility.await()
				.pollInterval(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(20))
				.until(() -> before[0] == (before[0] = sent.get()));
			assertThat(sent.get()).isLessThan(50_000_000);
			assertThat(client.read().payload()).hasSize(piece.length);
		}
		assertThat(this.upstream.end()).isIn("end", "reset");
	}

	@Test
	void anUpstreamThatDoesNotReadHoldsTheClientBackButIsHeard() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.upstream.follow((peer) -> {
			peer.accept();
			RawUpstream.await(end);
			peer.sendText("heard");
			// A connection that is closed with bytes unread is reset, and takes back what
			// it
			// has sent
			while (true) {
				peer.read();
			}
		});
		AtomicLong sent = new AtomicLong();
		try (WebSocketPeer client = open()) {
			Thread sender = new Thread(() -> {
				try {
					while (true) {
						client.send(WebSocketPeer.BINARY, new byte[100_000]);
						sent.addAndGet(100_000);
					}
				}
				catch (IOException ex) {
					// The end of the test
				}
			});
			sender.start();
			long[] before = { -1 };
			Awaitility.await()
				.pollInterval(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(20))
				.until(() -> before[0] == (before[0] = sent.get()));
			assertThat(sent.get()).isLessThan(50_000_000);
			end.countDown();
			assertThat(client.readText()).isEqualTo("heard");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"GET /service/x HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAAA\r\n",
			"GET /service/x HTTP/1.1\r\nUpgrade: other\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
					+ WebSocketPeer.KEY + "\r\n",
			"GET /service/x HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: " + WebSocketPeer.KEY + "\r\n",
			"GET /service/x HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" })
	void whatIsNoHandshakeIsARequestAsAnyOther(String head) throws Exception {
		this.upstream.follow((peer) -> peer.write("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno"));
		Message answer = HttpExchange.send(this.running.port(), head + "Host: gateway\r\n\r\n");
		assertThat(answer.status()).isEqualTo(426);
		Message request = this.upstream.handshake();
		assertThat(request.headers("Upgrade")).isEmpty();
		assertThat(request.headers("Connection")).noneMatch((value) -> value.toLowerCase().contains("upgrade"));
	}

	@Test
	void aSilentSessionEndsOnBothSides() throws Exception {
		try (RunningGateway own = startOwn("gateway-bench.web-sockets.idle-timeout=500ms")) {
			CountDownLatch told = new CountDownLatch(1);
			this.upstream.follow((peer) -> {
				peer.accept();
				assertClosed(peer, 1001);
				told.countDown();
				peer.isEnded();
			});
			try (WebSocketPeer client = opened(WebSocketPeer.client(own.port(), "/service/x"))) {
				assertClosed(client, 1001);
				assertThat(client.isEnded()).isTrue();
				RawUpstream.await(told);
			}
			await(() -> assertThat(open(own)).isZero());
		}
	}

	@Test
	void thereAreNotMoreSessionsThanMayBe() throws Exception {
		try (RunningGateway own = startOwn("gateway-bench.web-sockets.max-open=1")) {
			try (WebSocketPeer first = opened(WebSocketPeer.client(own.port(), "/service/x"));
					WebSocketPeer second = WebSocketPeer.client(own.port(), "/service/x")) {
				Problems.assertProblem(second.readMessage(), 503, Problems.NO_CONNECTION);
				first.sendText("text");
				assertThat(first.readText()).isEqualTo("text");
			}
			await(() -> assertThat(open(own)).isZero());
			// A refusal gives its place back
			this.upstream.follow((peer) -> peer.write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"));
			try (WebSocketPeer third = WebSocketPeer.client(own.port(), "/service/x")) {
				assertThat(third.readMessage().status()).isEqualTo(403);
			}
			this.upstream.follow(WebSocketUpstream.ECHO);
			await(() -> {
				try (WebSocketPeer fourth = WebSocketPeer.client(own.port(), "/service/x")) {
					opened(fourth);
				}
			});
		}
	}

	@Test
	void sessionsGoToAllInstancesAndAFailedHandshakeToAnother() throws Exception {
		try (WebSocketUpstream other = new WebSocketUpstream();
				RunningGateway own = this.gateway.startWithRoute(List.of(this.upstream.url(), other.url()),
						"gateway-bench.load-balancing.ejection.consecutive-failures=2")) {
			List<WebSocketPeer> clients = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				clients.add(opened(WebSocketPeer.client(own.port(), "/service/x")));
			}
			assertThat(other.accepted()).isEqualTo(2);
			assertThat(this.upstream.accepted()).isEqualTo(2);
			other.follow((peer) -> peer.reset());
			for (int i = 0; i < 6; i++) {
				clients.add(opened(WebSocketPeer.client(own.port(), "/service/x")));
			}
			assertThat(own.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(other.accepted()).isEqualTo(4);
			assertThat(this.upstream.accepted()).isEqualTo(8);
			for (WebSocketPeer client : clients) {
				client.sendText("text");
				assertThat(client.readText()).isEqualTo("text");
				client.close();
			}
		}
	}

	@Test
	void sessionsEndWhenTheGatewayStops() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		this.upstream.follow((peer) -> {
			peer.accept();
			peer.sendText("hello");
			assertClosed(peer, 1001);
			told.countDown();
		});
		RunningGateway own = startOwn();
		try (own; WebSocketPeer client = opened(WebSocketPeer.client(own.port(), "/service/x"))) {
			assertThat(client.readText()).isEqualTo("hello");
			own.close();
			assertClosed(client, 1001);
			RawUpstream.await(told);
		}
	}

	@Test
	void anInstanceHasItsPlaceAmongRequestsInFlightUntilTheEnd() throws Exception {
		try (RunningGateway own = startOwn("gateway-bench.upstreams.service.max-in-flight=1")) {
			try (WebSocketPeer client = opened(WebSocketPeer.client(own.port(), "/service/x"))) {
				client.sendText("text");
				assertThat(client.readText()).isEqualTo("text");
				assertThat(HttpExchange.send(own.port(), "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n").status())
					.isEqualTo(503);
			}
			await(() -> {
				try (WebSocketPeer next = WebSocketPeer.client(own.port(), "/service/x")) {
					opened(next);
				}
			});
		}
	}

	@Test
	void hundredsOfSessionsAreOpenAtATime() throws Exception {
		List<WebSocketPeer> clients = new ArrayList<>();
		try {
			for (int i = 0; i < 300; i++) {
				clients.add(open());
			}
			assertThat(open(this.running)).isEqualTo(300);
			for (WebSocketPeer client : clients) {
				client.sendText("text");
			}
			for (WebSocketPeer client : clients) {
				assertThat(client.readText()).isEqualTo("text");
			}
		}
		finally {
			for (WebSocketPeer client : clients) {
				client.close();
			}
		}
	}

	@Test
	void switchedOffTheyPassAsWithoutTheStarter() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		this.upstream.follow((peer) -> peer.write("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno"));
		try (RunningGateway own = startOwn("gateway-bench.web-sockets.enabled=false");
				WebSocketPeer client = WebSocketPeer.client(own.port(), "/service/x")) {
			assertThat(client.readMessage().status()).isEqualTo(426);
			assertThat(this.upstream.handshake().headers("Upgrade")).isEmpty();
		}
	}

}
