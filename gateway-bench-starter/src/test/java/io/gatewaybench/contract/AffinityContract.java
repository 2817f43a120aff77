package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that go to the same instance: those with the same key, and those of a client
 * with the gateway's cookie.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AffinityContract {

	private static final Map<String, String> KEYS = Map.of("by-header", "header:X-User", "by-cookie", "cookie:session",
			"by-query", "query:id", "by-address", "client-address", "bounded", "header:X-User", "failing",
			"header:X-User");

	private final Gateway gateway;

	private final List<RawUpstream> instances = new ArrayList<>();

	private RunningGateway running;

	AffinityContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		for (int i = 0; i < 3; i++) {
			this.instances.add(new RawUpstream());
		}
		List<String> urls = this.instances.stream().map(RawUpstream::url).toList();
		List<String> all = new ArrayList<>();
		List<String> names = new ArrayList<>(KEYS.keySet());
		names.addAll(List.of("sticky", "secure", "moving", "broken"));
		for (String name : names) {
			all.addAll(Gateway.route(names.indexOf(name), name, name, urls));
			all.add("gateway-bench.upstreams.%s.%s".formatted(name,
					KEYS.containsKey(name) ? "hash-by=" + KEYS.get(name) : "sticky-cookie=at-" + name));
		}
		all.addAll(this.gateway.nativeRoute(0, "changed", "/changed/**", "rr://by-header",
				List.of("SetRequestHeader=X-User, fixed")));
		all.add("server.forward-headers-strategy=native");
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		for (RawUpstream instance : this.instances) {
			instance.close();
		}
	}

	@BeforeEach
	void answer() throws IOException {
		for (RawUpstream instance : this.instances) {
			instance.startOver();
			instance.answer("HTTP/1.1 200 OK\r\nSet-Cookie: own=1\r\nContent-Length: %d\r\n\r\n%s"
				.formatted(instance.url().length(), instance.url()));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			by-header | X-User: user-%d                   | x
			by-cookie | Cookie: a=1; session=user-%d; b=2 | x
			by-query  | X-Other: %d                       | x?a=b&id=user-%d&c
			""")
	void requestsWithTheSameKeyGoToTheSameInstance(String upstream, String header, String target) throws Exception {
		List<String> taken = new ArrayList<>();
		// So many that each instance has one, whatever its port is
		for (int key = 0; key < 50; key++) {
			String first = get(upstream, target.formatted(key), header.formatted(key)).text();
			assertThat(get(upstream, target.formatted(key), header.formatted(key)).text()).isEqualTo(first);
			taken.add(first);
		}
		assertThat(taken).containsAll(urls());
	}

	@Test
	void theSameKeyLeadsToTheSameInstanceWhereverItStands() throws Exception {
		for (String user : List.of("user-1", "user-2", "user-3")) {
			String first = get("by-header", "x", "X-User: " + user).text();
			assertThat(get("by-cookie", "x", "Cookie: session=" + user).text()).isEqualTo(first);
			assertThat(get("by-query", "x?id=" + user, "X-Other: 1").text()).isEqualTo(first);
		}
	}

	@Test
	void theAddressOfTheClientIsAKey() throws Exception {
		String first = get("by-address", "x", "X-User: 1").text();
		for (int i = 0; i < 4; i++) {
			assertThat(get("by-address", "x", "X-User: " + i).text()).isEqualTo(first);
		}
		assertThat(get("by-header", "x", "X-User: 127.0.0.1").text()).isEqualTo(first);
	}

	@Test
	void aFilterOfTheRouteMayChangeTheKey() throws Exception {
		String fixed = get("by-header", "x", "X-User: fixed").text();
		for (int i = 0; i < 4; i++) {
			assertThat(get("changed", "x", "X-User: " + i).text()).isEqualTo(fixed);
		}
	}

	@Test
	void requestsWithoutAKeyTakeTurns() throws Exception {
		List<String> taken = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			taken.add(get("by-header", "x", "X-Other: 1").text());
		}
		assertThat(taken).containsExactlyInAnyOrderElementsOf(urls());
	}

	@Test
	void anInstanceThatIsOutLosesItsKeysAndGetsThemBack() throws Exception {
		List<String> before = takers();
		Instance out = Instance.parse(this.instances.get(1).url());
		upstream("by-header").takeOutOfService(out);
		List<String> meanwhile = takers();
		upstream("by-header").putInService(out);
		assertThat(takers()).isEqualTo(before);
		for (int i = 0; i < before.size(); i++) {
			assertThat(meanwhile.get(i).equals(before.get(i))).isEqualTo(!before.get(i).equals(out.url()));
		}
	}

	@Test
	void aRequestThatFailedGoesToTheNextInstanceOfItsKey() throws Exception {
		String first = get("failing", "x", "X-User: 7").text();
		RawUpstream broken = instance(first);
		Instance out = Instance.parse(first);
		upstream("failing").takeOutOfService(out);
		String second = get("failing", "x", "X-User: 7").text();
		upstream("failing").putInService(out);
		broken.answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		for (int i = 0; i < 3; i++) {
			assertThat(get("failing", "x", "X-User: 7").text()).isEqualTo(second);
		}
	}

	@Test
	void anInstanceHasNoMoreThanItsShareOfTheRequestsUnderWay() throws Exception {
		CountDownLatch answer = new CountDownLatch(1);
		for (RawUpstream instance : this.instances) {
			instance.answer((connection) -> {
				RawUpstream.await(answer);
				connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			});
		}
		List<Socket> clients = new ArrayList<>();
		try {
			for (int i = 1; i <= 24; i++) {
				Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port());
				clients.add(client);
				client.getOutputStream()
					.write("POST /bounded/x HTTP/1.1\r\nHost: gateway\r\nX-User: 1\r\nContent-Length: 0\r\n\r\n"
						.getBytes(StandardCharsets.US_ASCII));
				int sent = i;
				Awaitility.await()
					.until(() -> this.instances.stream().mapToInt(RawUpstream::pendingRequests).sum() == sent);
			}
			assertThat(this.instances)
				.allSatisfy((instance) -> assertThat(instance.pendingRequests()).isBetween(4, 10));
		}
		finally {
			answer.countDown();
			for (Socket client : clients) {
				client.close();
			}
		}
	}

	@Test
	void aClientStaysWithItsInstance() throws Exception {
		Message first = get("sticky", "x", "X-Other: 1");
		String cookie = cookie(first);
		assertThat(cookie).matches("at-sticky=[0-9a-f]{1,16}; Path=/; HttpOnly; SameSite=Lax");
		assertThat(first.headers("Set-Cookie")).contains("own=1").hasSize(2);
		for (int i = 0; i < 4; i++) {
			Message next = get("sticky", "x", "Cookie: " + cookie.split(";")[0]);
			assertThat(next.text()).isEqualTo(first.text());
			assertThat(next.headers("Set-Cookie")).containsExactly("own=1");
		}
	}

	@Test
	void aClientWhoseInstanceIsOutGetsAnotherOneAndItsCookie() throws Exception {
		Message first = get("moving", "x", "X-Other: 1");
		Instance out = Instance.parse(first.text());
		upstream("moving").takeOutOfService(out);
		Message second = get("moving", "x", "Cookie: " + cookie(first).split(";")[0]);
		upstream("moving").putInService(out);
		assertThat(second.text()).isNotEqualTo(first.text());
		assertThat(get("moving", "x", "Cookie: " + cookie(second).split(";")[0]).text()).isEqualTo(second.text());
	}

	@Test
	void theCookieIsOfTheInstanceThatAnsweredInTheEnd() throws Exception {
		Message first = get("broken", "x", "X-Other: 1");
		instance(first.text()).answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		Message second = get("broken", "x", "Cookie: " + cookie(first).split(";")[0]);
		assertThat(second.status()).isEqualTo(200);
		assertThat(second.headers("Set-Cookie")).hasSize(2);
		assertThat(get("broken", "x", "Cookie: " + cookie(second).split(";")[0]).text()).isEqualTo(second.text());
	}

	@Test
	void theCookieIsForHttpsOnlyIfTheRequestCameByIt() throws Exception {
		assertThat(cookie(get("secure", "x", "X-Forwarded-Proto: https"))).endsWith("; SameSite=Lax; Secure");
		assertThat(cookie(get("secure", "x", "X-Other: 1"))).endsWith("; SameSite=Lax");
	}

	private List<String> takers() throws IOException {
		List<String> takers = new ArrayList<>();
		for (int key : IntStream.range(0, 12).toArray()) {
			takers.add(get("by-header", "x", "X-User: " + key).text());
		}
		return takers;
	}

	private Message get(String upstream, String target, String header) throws IOException {
		return HttpExchange.send(this.running.port(),
				"GET /%s/%s HTTP/1.1\r\nHost: gateway\r\n%s\r\nConnection: close\r\n\r\n".formatted(upstream, target,
						header));
	}

	private static String cookie(Message response) {
		return response.headers("Set-Cookie")
			.stream()
			.filter((value) -> value.startsWith("at-"))
			.findFirst()
			.orElseThrow();
	}

	private RawUpstream instance(String url) {
		return this.instances.stream().filter((instance) -> instance.url().equals(url)).findFirst().orElseThrow();
	}

	private List<String> urls() {
		return this.instances.stream().map(RawUpstream::url).toList();
	}

	private Upstream upstream(String name) {
		return this.running.context().getBean(Upstreams.class).get(URI.create("rr://" + name));
	}

}
