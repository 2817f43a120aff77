package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Sessions of WebSockets, which the WebFlux gateway passes on.
 */
class WebSocketContract {

	private static final String SHORT_TIMEOUTS = "gateway-bench.upstreams.service.timeouts.";

	private final Gateway gateway;

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private final CompletableFuture<Socket> accepted = new CompletableFuture<>();

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	private ServerSocket upstream;

	WebSocketContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		Thread echo = new Thread(this::echo, "echo");
		echo.setDaemon(true);
		echo.start();
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.upstream.close();
	}

	@Test
	void messagesPassInBothDirectionsAndSilenceIsNoFault() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		try (RunningGateway running = start()) {
			WebSocket session = open(running);
			session.sendText("text", true).join();
			assertThat(next()).isEqualTo("text");
			session.sendBinary(ByteBuffer.wrap(new byte[] { 0, 1, 2 }), true).join();
			assertThat(next()).isEqualTo("[0, 1, 2]");
			// Several times as long as the timeouts
			Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> !this.ended.isDone());
			session.sendText("later", true).join();
			assertThat(next()).isEqualTo("later");
			assertThat(CircuitBreakerContract.watches(running)).isZero();
			session.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
			assertThat(next()).isEqualTo("close 1000");
			this.ended.get(20, TimeUnit.SECONDS);
			assertNothingIsLeft(running);
		}
	}

	@Test
	void theUpstreamEndsASession() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		try (RunningGateway running = start()) {
			WebSocket session = open(running);
			session.sendText("text", true).join();
			assertThat(next()).isEqualTo("text");
			this.accepted.get(20, TimeUnit.SECONDS).close();
			// As without the starter
			assertThat(next()).isEqualTo("close 1005");
			assertNothingIsLeft(running);
		}
	}

	@Test
	void aClientThatLeavesEndsTheSessionOfTheUpstream() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		try (RunningGateway running = start()) {
			WebSocket session = open(running);
			session.sendText("text", true).join();
			assertThat(next()).isEqualTo("text");
			session.abort();
			this.ended.get(20, TimeUnit.SECONDS);
			assertNothingIsLeft(running);
		}
	}

	@Test
	void whereThereAreNoWebSocketsTheAnswerIsThatOfAGatewayWithoutTheStarter() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
		String handshake = """
				GET /service/x HTTP/1.1\r
				Host: gateway\r
				Connection: Upgrade\r
				Upgrade: websocket\r
				Sec-WebSocket-Version: 13\r
				Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
				\r
				""";
		try (RawUpstream plain = new RawUpstream()) {
			plain.answer("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
			for (String property : List.of(OptInContract.WITHOUT_STARTER, "gateway-bench.scope=all")) {
				try (RunningGateway running = this.gateway.startWithNativeRoute(plain.url(), List.of(), property)) {
					Message response = HttpExchange.send(running.port(), handshake);
					assertThat(response.status()).isEqualTo(426);
					assertThat(response.text()).isEqualTo("no");
					assertThat(plain.request().headers("Upgrade")).isEmpty();
				}
			}
		}
	}

	private RunningGateway start() {
		return this.gateway.startWithRoute(List.of("http://127.0.0.1:" + this.upstream.getLocalPort()),
				"gateway-bench.scope=all", SHORT_TIMEOUTS + "response=200ms", SHORT_TIMEOUTS + "read=200ms");
	}

	private WebSocket open(RunningGateway running) {
		return HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.buildAsync(URI.create("ws://127.0.0.1:%d/service/x".formatted(running.port())), new Received())
			.join();
	}

	private String next() throws InterruptedException {
		return this.received.poll(20, TimeUnit.SECONDS);
	}

	private static void assertNothingIsLeft(RunningGateway running) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(CircuitBreakerContract.watches(running)).isZero();
			assertThat(running.context()
				.getBean(MeterRegistry.class)
				.find("gateway.bench.requests")
				.timers()
				.stream()
				.mapToLong((timer) -> timer.count())
				.sum()).isEqualTo(1);
		});
	}

	/**
	 * Accept one session and send its messages back.
	 */
	private void echo() {
		try (Socket socket = this.upstream.accept()) {
			Message handshake = Message.read(socket.getInputStream(), true, () -> {
			});
			String accept = handshake.header("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(accept.getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream()
				.write(("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
						+ "Sec-WebSocket-Accept: %s\r\n\r\n")
					.formatted(Base64.getEncoder().encodeToString(digest))
					.getBytes(StandardCharsets.US_ASCII));
			this.accepted.complete(socket);
			while (true) {
				answerFrame(socket.getInputStream(), socket.getOutputStream());
			}
		}
		catch (IOException | GeneralSecurityException ex) {
			this.ended.complete(null);
		}
	}

	private static void answerFrame(InputStream in, OutputStream out) throws IOException {
		byte[] head = in.readNBytes(6);
		if (head.length < 6) {
			throw new EOFException();
		}
		byte[] payload = in.readNBytes(head[1] & 0x7f);
		byte[] answer = new byte[2 + payload.length];
		answer[0] = head[0];
		answer[1] = (byte) payload.length;
		for (int i = 0; i < payload.length; i++) {
			answer[2 + i] = (byte) (payload[i] ^ head[2 + i % 4]);
		}
		out.write(answer);
	}

	private final class Received implements WebSocket.Listener {

		@Override
		public CompletionStage<?> onText(WebSocket session, CharSequence text, boolean last) {
			WebSocketContract.this.received.add(text.toString());
			session.request(1);
			return null;
		}

		@Override
		public CompletionStage<?> onBinary(WebSocket session, ByteBuffer bytes, boolean last) {
			byte[] copy = new byte[bytes.remaining()];
			bytes.get(copy);
			WebSocketContract.this.received.add(Arrays.toString(copy));
			session.request(1);
			return null;
		}

		@Override
		public CompletionStage<?> onClose(WebSocket session, int status, String reason) {
			WebSocketContract.this.received.add("close " + status);
			return null;
		}

		@Override
		public void onError(WebSocket session, Throwable error) {
			WebSocketContract.this.received.add("error");
		}

	}

}
