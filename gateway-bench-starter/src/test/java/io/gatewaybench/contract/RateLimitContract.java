package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that send more requests than an upstream lets them. Most limits let nothing
 * more pass while a test runs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RateLimitContract {

	private static final String PROBLEM = "{\"title\":\"Too Many Requests\",\"status\":429,"
			+ "\"detail\":\"The client has sent too many requests.\"}";

	private static final Map<String, String> KEYS = Map.of("by-header", "header:X-Client", "by-cookie",
			"cookie:session", "by-query", "query:id", "by-address", "client-address");

	private final Gateway gateway;

	private RawUpstream first;

	private RawUpstream second;

	private RunningGateway running;

	RateLimitContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.first = new RawUpstream();
		this.second = new RawUpstream();
		List<String> all = new ArrayList<>();
		List<String> names = new ArrayList<>(KEYS.keySet());
		names.forEach((name) -> all.addAll(limited(names.indexOf(name), name, KEYS.get(name), "0.001", 2, this.first)));
		all.addAll(limited(4, "quick", "header:X-Client", "20", 1, this.first));
		all.addAll(limited(5, "two", "header:X-Client", "0.001", 2, this.first, this.second));
		all.addAll(limited(6, "broken", "header:X-Client", "0.001", 1, this.second));
		all.addAll(limited(7, "spare", "header:X-Client", "0.001", 1, this.first));
		all.addAll(Gateway.route(8, "by-default", "by-default", List.of(this.first.url())));
		all.add("gateway-bench.upstreams.by-default.rate-limit.requests-per-second=0.5");
		all.addAll(breaker(0, "failing", "rr://broken"));
		all.addAll(breaker(1, "limited", "rr://by-header"));
		all.addAll(this.gateway.nativeRoute(2, "changed", "/changed/**", "rr://by-header",
				List.of("SetRequestHeader=X-Client, changed")));
		all.add(OnDemand.CIRCUIT_BREAKERS);
		all.add("server.forward-headers-strategy=native");
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	private static List<String> limited(int index, String name, String by, String rate, int burst,
			RawUpstream... instances) {
		List<String> all = Gateway.route(index, name, name, Stream.of(instances).map(RawUpstream::url).toList());
		String limit = "gateway-bench.upstreams.%s.rate-limit.".formatted(name);
		all.addAll(List.of(limit + "by=" + by, limit + "requests-per-second=" + rate,
				limit + "burst=%d".formatted(burst)));
		return all;
	}

	private List<String> breaker(int index, String name, String upstream) {
		List<String> all = this.gateway.nativeRoute(index, name, "/%s/**".formatted(name), upstream, List.of());
		String filter = "%s.routes[%d].filters[0].".formatted(this.gateway.nativePrefix(), index);
		all.add(filter + "name=CircuitBreaker");
		all.add(filter + "args.%s=%s".formatted((this.gateway.flavour() == Flavour.WEBFLUX) ? "name" : "id", name));
		all.add(filter + "args.fallbackUri=forward:/spare/x");
		return all;
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.first.close();
		this.second.close();
	}

	@BeforeEach
	void answer() throws IOException {
		for (RawUpstream upstream : List.of(this.first, this.second)) {
			upstream.startOver();
			upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		}
	}

	@Test
	void aRequestBeyondTheBurstGets429AndDoesNotReachTheUpstream() throws Exception {
		double before = refused("by-header");
		assertThat(get("/by-header/x", "X-Client: beyond").status()).isEqualTo(200);
		assertThat(get("/by-header/x", "X-Client: beyond").status()).isEqualTo(200);
		Message refused = get("/by-header/x", "X-Client: beyond");
		Problems.assertProblem(refused, 429, PROBLEM);
		assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(900, 1000);
		assertThat(this.first.pendingRequests()).isEqualTo(2);
		assertThat(refused("by-header")).isEqualTo(before + 1);
		Message head = HttpExchange.send(this.running.port(),
				"HEAD /by-header/x HTTP/1.1\r\nHost: gateway\r\nX-Client: beyond\r\nConnection: close\r\n\r\n");
		assertThat(head.status()).isEqualTo(429);
	}

	@Test
	void clientsDoNotDisturbEachOther() throws Exception {
		for (int i = 0; i < 5; i++) {
			assertThat(get("/by-header/x", "X-Client: one").status()).isEqualTo((i < 2) ? 200 : 429);
		}
		assertThat(get("/by-header/x", "X-Client: other").status()).isEqualTo(200);
	}

	@Test
	void aClientMaySendAgainAfterSomeTime() throws Exception {
		assertThat(get("/quick/x", "X-Client: again").status()).isEqualTo(200);
		Awaitility.await().untilAsserted(() -> {
			Message answer = get("/quick/x", "X-Client: again");
			assertThat(answer.header("Retry-After")).isIn("1", null);
			assertThat(answer.status()).isEqualTo(200);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			by-header  | X-Client: a                | X-Client: b                | x       | x
			by-cookie  | Cookie: x=1; session=a     | Cookie: x=1; session=b     | x       | x
			by-query   | X-Client: a                | X-Client: a                | x?id=a  | x?c&id=b
			by-address | X-Forwarded-For: 192.0.2.1 | X-Forwarded-For: 192.0.2.2 | x       | x
			by-header  | X-Forwarded-For: 192.0.2.1 | X-Forwarded-For: 192.0.2.2 | x       | x
			by-query   | X-Forwarded-For: 192.0.2.1 | X-Forwarded-For: 192.0.2.2 | x?id=   | x?d
			""")
	void aClientIsToldByItsKeyOrByItsAddress(String upstream, String one, String other, String target,
			String otherTarget) throws Exception {
		String path = "/%s/".formatted(upstream);
		for (int i = 0; i < 2; i++) {
			assertThat(get(path + target, one).status()).isEqualTo(200);
		}
		assertThat(get(path + target, one).status()).isEqualTo(429);
		assertThat(get(path + otherTarget, other).status()).isEqualTo(200);
	}

	@Test
	void withoutMoreTheAddressCountsAndOneRequestIsTheBurst() throws Exception {
		assertThat(get("/by-default/x", "X-Forwarded-For: 192.0.2.3").status()).isEqualTo(200);
		Message refused = get("/by-default/x", "X-Forwarded-For: 192.0.2.3");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.header("Retry-After")).isEqualTo("2");
		assertThat(get("/by-default/x", "X-Forwarded-For: 192.0.2.4").status()).isEqualTo(200);
	}

	@Test
	void aFilterOfTheRouteMayTellTheClient() throws Exception {
		assertThat(get("/changed/x", "X-Client: 1").status()).isEqualTo(200);
		assertThat(get("/changed/x", "X-Client: 2").status()).isEqualTo(200);
		assertThat(get("/changed/x", "X-Client: 3").status()).isEqualTo(429);
	}

	@Test
	void aRequestThatIsSentAgainCountsOnce() throws Exception {
		this.second.answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		assertThat(get("/two/x", "X-Client: retried").status()).isEqualTo(200);
		assertThat(get("/two/x", "X-Client: retried").status()).isEqualTo(200);
		assertThat(this.second.pendingRequests()).isPositive();
		assertThat(get("/two/x", "X-Client: retried").status()).isEqualTo(429);
	}

	@Test
	void aFallbackDoesNotCountAgain() throws Exception {
		this.second.answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		assertThat(get("/failing/x", "X-Client: fallback").status()).isEqualTo(200);
		assertThat(get("/spare/x", "X-Client: fallback").status()).isEqualTo(200);
		assertThat(get("/spare/x", "X-Client: fallback").status()).isEqualTo(429);
	}

	@Test
	void aRefusedRequestIsNoFailureForACircuitBreaker() throws Exception {
		for (int i = 0; i < 200; i++) {
			Message answer = get("/limited/x", "X-Client: flood");
			assertThat(answer.status()).isEqualTo((i < 2) ? 200 : 429);
		}
		assertThat(get("/limited/x", "X-Client: calm").status()).isEqualTo(200);
		assertThat(this.first.pendingRequests()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 5, 100_000 })
	void theConnectionStaysOpen(int length) throws Exception {
		String client = "X-Client: open-" + length;
		get("/by-header/x", client);
		get("/by-header/x", client);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			socket.setSoTimeout(20_000);
			InputStream in = new BufferedInputStream(socket.getInputStream());
			for (int i = 0; i < 3; i++) {
				send(socket, "POST /by-header/x HTTP/1.1\r\nHost: gateway\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
					.formatted(client, length, "b".repeat(length)));
				Problems.assertProblem(message(in), 429, PROBLEM);
			}
			send(socket, "GET /by-header/x HTTP/1.1\r\nHost: gateway\r\nX-Client: next-%d\r\n\r\n".formatted(length));
			assertThat(message(in).status()).isEqualTo(200);
		}
		assertThat(this.first.pendingRequests()).isEqualTo(3);
	}

	@Test
	void aBodyThatIsNotThereYetIsNotWaitedFor() throws Exception {
		get("/by-header/x", "X-Client: later");
		get("/by-header/x", "X-Client: later");
		for (String body : List.of("Content-Length: 10\r\n\r\n1", "Content-Length: 10000000\r\n\r\n1",
				"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n")) {
			Message refused = HttpExchange.send(this.running.port(),
					"POST /by-header/x HTTP/1.1\r\nHost: gateway\r\nX-Client: later\r\n" + body);
			Problems.assertProblem(refused, 429, PROBLEM);
		}
		assertThat(this.first.pendingRequests()).isEqualTo(2);
	}

	private Message get(String target, String header) throws IOException {
		return HttpExchange.send(this.running.port(),
				"GET %s HTTP/1.1\r\nHost: gateway\r\n%s\r\nConnection: close\r\n\r\n".formatted(target, header));
	}

	private static void send(Socket socket, String request) throws IOException {
		socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
	}

	private static Message message(InputStream in) throws IOException {
		return Message.read(in, false, () -> {
		});
	}

	private double refused(String upstream) {
		return this.running.context()
			.getBean(MeterRegistry.class)
			.get("gateway.bench.upstream.rate.limited")
			.tag("upstream", upstream)
			.functionCounter()
			.count();
	}

}
