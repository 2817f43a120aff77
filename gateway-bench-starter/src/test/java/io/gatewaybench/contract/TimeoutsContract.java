package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * How long the gateway waits for an upstream, and what the client sees then.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimeoutsContract {

	private final Gateway gateway;

	private volatile CountDownLatch end = new CountDownLatch(1);

	private RawUpstream upstream;

	/**
	 * Accepts no more connections.
	 */
	private ServerSocket full;

	private final List<Socket> queue = new ArrayList<>();

	/**
	 * Accepts connections and is silent.
	 */
	private ServerSocket silent;

	/**
	 * With a route for each limit, whose name its path begins with.
	 */
	private RunningGateway running;

	TimeoutsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		for (int i = 0; i < 4; i++) {
			Socket waiting = new Socket();
			this.queue.add(waiting);
			try {
				waiting.connect(this.full.getLocalSocketAddress(), 200);
			}
			catch (IOException ex) {
				// The queue is full, as it should be
			}
		}
		this.silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		List<String> all = this.gateway.nativeRoute(0, "native", "/native/**", "rr://response-200ms", List.of());
		all.addAll(this.gateway.nativeRoute(1, "limited", "/limited/**", this.upstream.url(),
				List.of("AddGatewayHeaders")));
		all.add("spring.cloud.gateway.server.webflux.routes[1].metadata.response-timeout=200");
		List<String> limits = List.of("response-200ms", "response-600ms", "read-200ms", "read-500ms", "read-1s");
		for (String limit : limits) {
			all.addAll(Gateway.route(limits.indexOf(limit), limit, limit, List.of(this.upstream.url())));
			all.add("gateway-bench.upstreams.%s.timeouts.%s".formatted(limit, limit.replace('-', '=')));
		}
		all.add("gateway-bench.upstreams.read-1s.timeouts.response=1s");
		all.addAll(
				Gateway.route(limits.size(), "full", "full", List.of("http://127.0.0.1:" + this.full.getLocalPort())));
		all.add("gateway-bench.upstreams.full.timeouts.connect=200ms");
		all.addAll(Gateway.route(limits.size() + 1, "silent", "silent",
				List.of("https://127.0.0.1:" + this.silent.getLocalPort())));
		all.add("gateway-bench.upstreams.silent.timeouts.response=500ms");
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.end.countDown();
		this.running.close();
		this.upstream.close();
		for (Socket waiting : this.queue) {
			waiting.close();
		}
		this.full.close();
		this.silent.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.end.countDown();
		this.end = new CountDownLatch(1);
		this.upstream.startOver();
	}

	@Test
	void anUpstreamThatDoesNotAnswerIsAGatewayTimeout() throws Exception {
		assertThatItTimesOut(this.running, "/response-200ms/x");
	}

	private void assertThatItTimesOut(RunningGateway running, String target) throws Exception {
		this.upstream.answer((out) -> RawUpstream.await(this.end));
		Problems.assertProblem(HttpExchange.get(running.port(), target), 504, Problems.RESPONSE_TIMEOUT);
		Problems.assertProblem(HttpExchange.send(running.port(), post("abc").replace("/service/x", target)), 504,
				Problems.RESPONSE_TIMEOUT);
	}

	/**
	 * The gateway closes the connection to end the wait, which is no sign that the
	 * upstream had closed it before.
	 */
	@Test
	void aRequestThatTimesOutOnAPooledConnectionIsNotSentAgain() throws Exception {
		// A gateway may give the connection back to the pool only after the client has
		// its response
		Awaitility.await().until(() -> {
			int requests = this.upstream.pendingRequests();
			this.upstream.answer("HTTP/1.1 204 No Content\r\n\r\n");
			if (get("/response-200ms/x").status() != 204) {
				// A cold JVM may take longer than that for its first request
				return false;
			}
			int connections = this.upstream.acceptedConnections();
			this.upstream.answer((out) -> RawUpstream.await(this.end));
			Problems.assertProblem(get("/response-200ms/x"), 504, Problems.RESPONSE_TIMEOUT);
			assertThat(this.upstream.pendingRequests()).isEqualTo(requests + 2);
			return this.upstream.acceptedConnections() == connections;
		});
	}

	@Test
	void aNativeRouteHasTheTimeoutsOfItsUpstreamEvenWithoutAnyFeature() throws Exception {
		this.upstream.answer((out) -> RawUpstream.await(this.end));
		Problems.assertProblem(get("/native/x"), 504, Problems.RESPONSE_TIMEOUT);
	}

	@Test
	void aPauseInABodyThatIsHeldIsAGatewayTimeout() throws Exception {
		this.upstream.answer((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nX-Of-Upstream: 1\r\nContent-Type: application/json\r\n"
					+ "Content-Length: 10\r\n\r\n{\"a\"");
			RawUpstream.await(this.end);
		});
		Message response = get("/read-200ms/x");
		Problems.assertProblem(response, 504, Problems.BODY_TIMEOUT);
		assertThat(response.header("X-Of-Upstream")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length: 200000", "Connection: close" })
	void aPauseInABodyThatStreamsEndsTheResponseEarly(String framing) throws Exception {
		this.upstream.answer((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n%s\r\n\r\n%s".formatted(framing,
					"x".repeat(100_000)));
			RawUpstream.await(this.end);
		});
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> get("/read-200ms/x"));
	}

	@Test
	void aResponseThatTakesLongInSmallPiecesComesWhole() throws Exception {
		this.upstream.answer((out) -> {
			write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\n");
			for (int i = 0; i < 12; i++) {
				pause(100);
				write(out, "x");
			}
		});
		assertThat(get("/read-1s/x").text()).isEqualTo("x".repeat(12));
	}

	@Test
	void aClientThatTakesItsTimeIsNoPauseOfTheUpstream() throws Exception {
		int length = 20_000_000;
		this.upstream
			.answer((out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
				.formatted(length, "x".repeat(length))));
		Message response = HttpExchange.send(this.running.port(), HttpExchange.getRequest("/read-500ms/x"),
				() -> pause(1000));
		assertThat(response.body()).hasSize(length);
	}

	@Test
	void aClientThatTakesItsTimeToSendIsNoPauseOfTheUpstream() throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok");
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			client.setSoTimeout(20_000);
			OutputStream out = client.getOutputStream();
			write(out,
					"POST /response-600ms/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 20000\r\n\r\n");
			for (int i = 0; i < 10; i++) {
				pause(100);
				write(out, "x".repeat(2000));
			}
			InputStream in = client.getInputStream();
			assertThat(Message.read(in, false, () -> {
			}).text()).isEqualTo("ok");
			assertThat(this.upstream.request().text()).isEqualTo("x".repeat(20_000));
		}
	}

	@Test
	void anUpstreamThatDoesNotAcceptIsAGatewayTimeout() throws Exception {
		Problems.assertProblem(get("/full/x"), 504, Problems.CONNECT_TIMEOUT);
	}

	@Test
	void anUpstreamWithoutALimitOfItsOwnHasThatOfAll() throws Exception {
		try (RunningGateway running = start("gateway-bench.timeouts.response=200ms")) {
			assertThatItTimesOut(running, "/service/x");
		}
	}

	/**
	 * On WebFlux, the gateway has a limit of its own. On WebMVC, its client has.
	 */
	@Test
	void theGatewaysOwnLimitHoldsToo() throws Exception {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBFLUX);
		this.upstream.answer((out) -> RawUpstream.await(this.end));
		assertThat(get("/limited/x").status()).isEqualTo(504);
		List<String> limits = this.gateway.nativeRoute(0, "unlimited", "/unlimited/**", this.upstream.url(),
				List.of("AddGatewayHeaders"));
		limits.addAll(List.of("spring.cloud.gateway.server.webflux.routes[0].metadata.response-timeout=-1",
				"spring.cloud.gateway.server.webflux.httpclient.response-timeout=200ms"));
		try (RunningGateway running = start(limits.toArray(String[]::new))) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(504);
			this.upstream.answer((out) -> {
				pause(400);
				write(out, "HTTP/1.1 204 No Content\r\n\r\n");
			});
			assertThat(HttpExchange.get(running.port(), "/unlimited/x").status()).isEqualTo(204);
		}
	}

	@Test
	void anUpstreamThatIsSilentInTheHandshakeIsAGatewayTimeout() throws Exception {
		Problems.assertProblem(get("/silent/x"), 504, Problems.RESPONSE_TIMEOUT);
	}

	private RunningGateway start(String... properties) {
		return this.gateway.startWithRoute(List.of(this.upstream.url()), properties);
	}

	private Message get(String target) throws IOException {
		return HttpExchange.get(this.running.port(), target);
	}

	static String post(String body) {
		return "POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
			.formatted(body.length(), body);
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.US_ASCII));
		out.flush();
	}

	private static void pause(int millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
