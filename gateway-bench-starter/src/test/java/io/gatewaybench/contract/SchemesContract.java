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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A route whose URI is not that of an instance passes as without the starter.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemesContract {

	private static final List<String> URIS = List.of("forward:/actuator/health", "no://op", "lb://nobody");

	private static final String HANDSHAKE = """
			GET %s/x HTTP/1.1\r
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

	private ServerSocket upstream;

	/**
	 * In scope all.
	 */
	private RunningGateway all;

	/**
	 * With all filters, and with a route of the starter.
	 */
	private RunningGateway asking;

	SchemesContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		String address = "127.0.0.1:" + this.upstream.getLocalPort();
		List<String> properties = routes(List.of());
		if (this.gateway.flavour() == Flavour.WEBFLUX) {
			properties.addAll(this.gateway.nativeRoute(URIS.size(), "ws", "/ws/**", "ws://" + address, List.of()));
			properties
				.addAll(this.gateway.nativeRoute(URIS.size() + 1, "http", "/http/**", "http://" + address, List.of()));
		}
		properties.add("gateway-bench.scope=all");
		this.all = this.gateway.start(properties.toArray(String[]::new));
		properties = routes(OptInContract.ALL_FILTERS);
		properties.addAll(Gateway.route(0, "the-route", "starter", List.of("http://" + address)));
		this.asking = this.gateway.start(properties.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.all.close();
		this.asking.close();
		this.upstream.close();
	}

	@Test
	void aForwardReachesTheHandlerInScopeAll() throws Exception {
		Message response = HttpExchange.get(this.all.port(), "/service/0/x");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.text()).contains("\"status\":\"UP\"").doesNotContain("_gateway");
	}

	@Test
	void theAnswerIsThatOfAGatewayWithoutTheStarter() throws Exception {
		List<String> properties = routes(List.of());
		properties.add(OptInContract.WITHOUT_STARTER);
		try (RunningGateway without = this.gateway.start(properties.toArray(String[]::new))) {
			List<Outcome> expected = outcomes(without);
			assertThat(outcomes(this.all)).isEqualTo(expected);
			assertThat(outcomes(this.asking)).isEqualTo(expected);
		}
	}

	/**
	 * WebMVC passes them on to upstreams of the starter only.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "ws", "http" })
	void aWebSocketOpensInScopeAll(String scheme) throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		assertEcho(this.all, "/" + scheme);
	}

	@Test
	void aWebSocketOpensOnARouteOfTheStarter() throws Exception {
		assertEcho(this.asking, "/starter");
	}

	private void assertEcho(RunningGateway running, String path) throws Exception {
		CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(this.upstream));
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
			client.setSoTimeout(20_000);
			client.getOutputStream().write(HANDSHAKE.formatted(path).getBytes(StandardCharsets.US_ASCII));
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

	private List<String> routes(List<String> filters) {
		List<String> all = new ArrayList<>(List.of(OnDemand.LOAD_BALANCER));
		for (int i = 0; i < URIS.size(); i++) {
			all.addAll(this.gateway.nativeRoute(i, "route-" + i, "/service/%d/**".formatted(i), URIS.get(i), filters));
		}
		return all;
	}

	private static List<Outcome> outcomes(RunningGateway running) throws IOException {
		List<Outcome> outcomes = new ArrayList<>();
		for (int i = 0; i < URIS.size(); i++) {
			Message response = HttpExchange.get(running.port(), "/service/%d/x".formatted(i));
			outcomes.add(new Outcome(response.status(),
					response.text()
						.replaceAll("\"timestamp\":\"[^\"]*\"", "")
						.replaceAll("\"requestId\":\"[^\"]*\"", "")));
		}
		return outcomes;
	}

	private record Outcome(int status, String body) {
	}

}
