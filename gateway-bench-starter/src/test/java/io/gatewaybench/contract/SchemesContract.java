package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A route whose URI is not that of an instance passes as without the starter.
 */
class SchemesContract {

	private static final List<String> URIS = List.of("forward:/actuator/health", "no://op", "lb://nobody");

	private static final String HANDSHAKE = """
			GET /service/x HTTP/1.1\r
			Host: gateway\r
			Connection: Upgrade\r
			Upgrade: websocket\r
			Sec-WebSocket-Version: 13\r
			Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
			\r
			""";

	private static final byte[] MASKED_HELLO = { (byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'H', 'e', 'l', 'l', 'o' };

	private static final byte[] HELLO = { (byte) 0x81, 0x05, 'H', 'e', 'l', 'l', 'o' };

	private final Gateway gateway;

	SchemesContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void aForwardReachesTheHandlerInScopeAll() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute("forward:/actuator/health", List.of(),
				"gateway-bench.scope=all")) {
			Message response = HttpExchange.get(running.port(), "/service/x");
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).contains("\"status\":\"UP\"").doesNotContain("_gateway");
		}
	}

	@Test
	void theAnswerIsThatOfAGatewayWithoutTheStarter() throws Exception {
		List<Outcome> without = outcomes(List.of(), OptInContract.WITHOUT_STARTER);
		assertThat(outcomes(List.of(), "gateway-bench.scope=all")).isEqualTo(without);
		assertThat(outcomes(OptInContract.ALL_FILTERS)).isEqualTo(without);
	}

	/**
	 * WebMVC has no WebSockets.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "ws", "http" })
	void aWebSocketOpensInScopeAll(String scheme) throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		try (ServerSocket upstream = listen();
				RunningGateway running = this.gateway.startWithNativeRoute(
						scheme + "://127.0.0.1:" + upstream.getLocalPort(), List.of(), "gateway-bench.scope=all")) {
			assertEcho(upstream, running);
		}
	}

	@Test
	void aWebSocketOpensOnARouteOfTheStarter() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		try (ServerSocket upstream = listen();
				RunningGateway running = this.gateway
					.startWithRoute(List.of("http://127.0.0.1:" + upstream.getLocalPort()))) {
			assertEcho(upstream, running);
		}
	}

	private static ServerSocket listen() throws IOException {
		return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	private static void assertEcho(ServerSocket upstream, RunningGateway running) throws Exception {
		CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(upstream));
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
			client.setSoTimeout(20_000);
			client.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
			assertThat(Message.read(client.getInputStream(), true, () -> {
			}).status()).isEqualTo(101);
			client.getOutputStream().write(MASKED_HELLO);
			assertThat(client.getInputStream().readNBytes(HELLO.length)).isEqualTo(HELLO);
		}
		echo.get(20, TimeUnit.SECONDS);
	}

	/**
	 * Accept one WebSocket and send its first message back without the mask.
	 */
	private static void echo(ServerSocket upstream) {
		try (Socket socket = upstream.accept()) {
			Message handshake = Message.read(socket.getInputStream(), true, () -> {
			});
			String accept = handshake.header("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(accept.getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream()
				.write(("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
						+ "Sec-WebSocket-Accept: %s\r\n\r\n")
					.formatted(Base64.getEncoder().encodeToString(digest))
					.getBytes(StandardCharsets.US_ASCII));
			byte[] frame = socket.getInputStream().readNBytes(MASKED_HELLO.length);
			byte[] answer = HELLO.clone();
			for (int i = 0; i < 5; i++) {
				answer[2 + i] = (byte) (frame[6 + i] ^ frame[2 + i % 4]);
			}
			socket.getOutputStream().write(answer);
			socket.getInputStream().readAllBytes();
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<Outcome> outcomes(List<String> filters, String... properties) throws IOException {
		List<String> all = new ArrayList<>(List.of(properties));
		for (int i = 0; i < URIS.size(); i++) {
			String route = "%s.routes[%d].".formatted(this.gateway.nativePrefix(), i);
			all.add(route + "id=route-" + i);
			all.add(route + "uri=" + URIS.get(i));
			all.add(route + "predicates[0]=Path=/service/%d/**".formatted(i));
			for (int j = 0; j < filters.size(); j++) {
				all.add("%sfilters[%d]=%s".formatted(route, j, filters.get(j)));
			}
		}
		List<Outcome> outcomes = new ArrayList<>();
		try (RunningGateway running = this.gateway.start(all.toArray(String[]::new))) {
			for (int i = 0; i < URIS.size(); i++) {
				Message response = HttpExchange.get(running.port(), "/service/%d/x".formatted(i));
				outcomes.add(new Outcome(response.status(),
						response.text()
							.replaceAll("\"timestamp\":\"[^\"]*\"", "")
							.replaceAll("\"requestId\":\"[^\"]*\"", "")));
			}
		}
		return outcomes;
	}

	private record Outcome(int status, String body) {
	}

}
