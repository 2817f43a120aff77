package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An upstream that has a limit of requests in flight. What is beyond it waits for its
 * turn, or gets 503.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InFlightContract {

	private final Gateway gateway;

	private final List<Socket> clients = new ArrayList<>();

	private final Semaphore answers = new Semaphore(0);

	private RawUpstream first;

	private RawUpstream second;

	private RunningGateway running;

	InFlightContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.first = new RawUpstream();
		this.second = new RawUpstream();
		List<String> all = new ArrayList<>();
		all.addAll(limited(0, "refusing", 2, "0", this.first));
		all.addAll(limited(1, "waiting", 1, "1m", this.first));
		all.addAll(limited(2, "impatient", 1, "50ms", this.first));
		all.addAll(limited(3, "two", 1, "0", this.first, this.second));
		all.addAll(limited(4, "spare", 1, "0", this.second));
		all.addAll(this.gateway.nativeRoute(0, "breaker", "/breaker/**", "rr://waiting", List.of()));
		String breaker = this.gateway.nativePrefix() + ".routes[0].filters[0].";
		all.add(OnDemand.CIRCUIT_BREAKERS);
		all.add(breaker + "name=CircuitBreaker");
		all.add(breaker + "args." + ((this.gateway.flavour() == Flavour.WEBFLUX) ? "name" : "id") + "=the-breaker");
		all.add(breaker + "args.fallbackUri=forward:/spare/x");
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	private static List<String> limited(int index, String name, int limit, String time, RawUpstream... instances) {
		List<String> all = Gateway.route(index, name, name, List.of(instances).stream().map(RawUpstream::url).toList());
		all.add("gateway-bench.upstreams.%s.max-in-flight=%d".formatted(name, limit));
		all.add("gateway-bench.upstreams.%s.max-queue-time=%s".formatted(name, time));
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
		this.first.startOver();
		this.second.startOver();
		this.answers.drainPermits();
		this.first.answer(this::answerWhenTold);
	}

	@AfterEach
	void end() throws IOException {
		this.answers.release(1000);
		for (Socket client : this.clients) {
			client.close();
		}
		this.clients.clear();
		awaitIdle();
	}

	@Test
	void aRequestBeyondTheLimitGets503AndTheNextOneAfterAnAnswerPasses() throws Exception {
		Socket one = send("/refusing/1");
		send("/refusing/2");
		awaitInFlight("refusing", 2);
		double before = meter("refused", "refusing");
		Message refused = get("/refusing/3");
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.header("Retry-After")).isEqualTo("1");
		assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(refused.text()).isEqualTo(
				"{\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"The upstream has too many requests.\"}");
		assertThat(meter("refused", "refusing")).isEqualTo(before + 1);
		this.answers.release();
		this.answers.release();
		assertThat(response(one).status()).isEqualTo(200);
		awaitIdle();
		this.answers.release();
		assertThat(get("/refusing/4").status()).isEqualTo(200);
	}

	@Test
	void requestsBeyondTheLimitHaveTheirTurnInTheirOrder() throws Exception {
		List<Socket> sent = new ArrayList<>();
		sent.add(send("/waiting/0"));
		awaitInFlight("waiting", 1);
		for (int i = 1; i <= 4; i++) {
			sent.add(send("/waiting/" + i));
			awaitWaiting("waiting", i);
		}
		for (int i = 0; i <= 4; i++) {
			assertThat(this.first.request().target()).isEqualTo("/" + i);
			assertThat(this.first.pendingRequests()).isZero();
			this.answers.release();
			assertThat(response(sent.get(i)).status()).isEqualTo(200);
		}
	}

	@Test
	void aRequestThatHasWaitedForTooLongGets503() throws Exception {
		send("/impatient/1");
		awaitInFlight("impatient", 1);
		Message refused = get("/impatient/2");
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.header("Retry-After")).isEqualTo("1");
		assertThat(meter("waiting", "impatient")).isZero();
		assertThat(meter("refused", "impatient")).isPositive();
	}

	@Test
	void aClientThatLeavesGivesItsPlaceBack() throws Exception {
		Socket inFlight = send("/waiting/1");
		awaitInFlight("waiting", 1);
		Socket waiting = send("/waiting/2");
		awaitWaiting("waiting", 1);
		waiting.close();
		if (this.gateway.flavour() == Flavour.WEBFLUX) {
			awaitWaiting("waiting", 0);
			inFlight.close();
		}
		else {
			// Tomcat notices when it writes
			inFlight.close();
			this.answers.release(2);
		}
		awaitIdle();
		// The upstream may still wait to answer the others
		this.answers.release(10);
		assertThat(get("/waiting/3").status()).isEqualTo(200);
	}

	/**
	 * It does after a second.
	 */
	@Test
	void aBreakerThatGivesUpWaitingGivesThePlaceBack() throws Exception {
		send("/waiting/1");
		awaitInFlight("waiting", 1);
		assertThat(get("/breaker/2").status()).isEqualTo(204);
		awaitWaiting("waiting", 0);
		assertThat(meter("in.flight", "waiting")).isEqualTo(1);
		assertThat(this.first.request().target()).isEqualTo("/1");
		assertThat(this.first.pendingRequests()).isZero();
	}

	@Test
	void aRequestWithABodyWaitsAndArrivesWhole() throws Exception {
		send("/waiting/1");
		awaitInFlight("waiting", 1);
		for (int length : new int[] { 5, 500_000 }) {
			Socket client = send(
					"POST /waiting/2 HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
						.formatted(length) + "b".repeat(length),
					this.running.port());
			awaitWaiting("waiting", 1);
			this.answers.release();
			assertThat(this.first.requestOf("/2").body()).hasSize(length);
			assertThat(meter("in.flight", "waiting")).isEqualTo(1);
			this.answers.release();
			assertThat(response(client).status()).isEqualTo(200);
			awaitIdle();
			send("/waiting/1");
			awaitInFlight("waiting", 1);
		}
	}

	@Test
	void aRequestThatFailsGivesItsPlaceBack() throws Exception {
		this.first.answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		for (int i = 0; i < 3; i++) {
			Message failed = HttpExchange.send(this.running.port(),
					"POST /waiting/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
			assertThat(failed.status()).isEqualTo(502);
		}
		awaitIdle();
	}

	@Test
	void aRequestThatIsSentAgainKeepsItsPlace() throws Exception {
		this.second.answer((connection) -> {
			throw new RawUpstream.Reset();
		});
		for (int i = 0; i < 4; i++) {
			this.answers.release();
			assertThat(get("/two/" + i).status()).isEqualTo(200);
			awaitIdle();
		}
	}

	@Test
	void theBodyOfTheResponseBelongsToTheRequest() throws Exception {
		this.first.answer((connection) -> {
			connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\na"
				.getBytes(StandardCharsets.US_ASCII));
			connection.flush();
			this.answers.acquireUninterruptibly();
			connection.write('b');
		});
		Socket one = send("/two/1");
		assertThat(one.getInputStream().read()).isEqualTo('H');
		assertThat(get("/two/2").status()).isEqualTo(503);
	}

	private void answerWhenTold(OutputStream connection) throws IOException {
		this.answers.acquireUninterruptibly();
		connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII));
	}

	private Message get(String target) throws IOException {
		return HttpExchange.get(this.running.port(), target);
	}

	private Socket send(String target) throws IOException {
		return send(HttpExchange.getRequest(target), this.running.port());
	}

	private Socket send(String request, int port) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
		this.clients.add(client);
		client.setSoTimeout(20_000);
		Thread writer = new Thread(() -> {
			try {
				client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				// The gateway has answered before it has read all
			}
		});
		writer.start();
		return client;
	}

	private static Message response(Socket client) throws IOException {
		return Message.read(client.getInputStream(), false, () -> {
		});
	}

	private void awaitIdle() {
		for (String upstream : List.of("refusing", "waiting", "impatient", "two", "spare")) {
			awaitWaiting(upstream, 0);
			awaitInFlight(upstream, 0);
		}
	}

	private void awaitInFlight(String upstream, int number) {
		Awaitility.await().untilAsserted(() -> assertThat(meter("in.flight", upstream)).isEqualTo(number));
	}

	private void awaitWaiting(String upstream, int number) {
		Awaitility.await().untilAsserted(() -> assertThat(meter("waiting", upstream)).isEqualTo(number));
	}

	private double meter(String name, String upstream) {
		return this.running.context()
			.getBean(MeterRegistry.class)
			.get("gateway.bench.upstream." + name)
			.tag("upstream", upstream)
			.meter()
			.measure()
			.iterator()
			.next()
			.getValue();
	}

}
