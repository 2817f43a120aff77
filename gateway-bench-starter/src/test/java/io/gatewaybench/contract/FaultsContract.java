package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of requests when an instance fails: which are sent again, when an instance
 * is done without, and how it comes back.
 */
class FaultsContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

	private static final String ERROR = "HTTP/1.1 500 Internal Server Error\r\nFrom: bad\r\nContent-Length: 5\r\n\r\nsorry";

	private static final String OBJECT = "HTTP/1.1 200 OK\r\nFrom: good\r\nContent-Type: application/json\r\n"
			+ "Content-Length: 7\r\n\r\n{\"a\":1}";

	private static final String UPSTREAM = "gateway-bench.upstreams.service.";

	private static final String EJECTION = "gateway-bench.round-robin.ejection.";

	private final Gateway gateway;

	private final CountDownLatch end = new CountDownLatch(1);

	private RawUpstream good;

	private RawUpstream bad;

	FaultsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstreams() throws IOException {
		this.good = new RawUpstream();
		this.good.answer(OK);
		this.bad = new RawUpstream();
		this.bad.answer(OK);
	}

	@AfterEach
	void stopUpstreams() throws IOException {
		this.end.countDown();
		this.good.close();
		this.bad.close();
	}

	@Test
	void aRefusedConnectionIsABadGateway() throws Exception {
		this.bad.close();
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.bad.url()))) {
			Problems.assertProblem(get(running), 502, Problems.REFUSED);
			Message head = HttpExchange.send(running.port(),
					"HEAD /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
			assertThat(head.status()).isEqualTo(502);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n", "nonsense\r\n\r\n",
			"HTTP/9.9 abc\r\n\r\n" })
	void anUpstreamThatDoesNotAnswerWithAResponseIsABadGateway(String response) throws Exception {
		this.bad.answer((out) -> {
			out.write(response.getBytes());
			out.flush();
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.bad.url()))) {
			Problems.assertProblem(get(running), 502, Problems.BROKEN);
			Problems.assertProblem(HttpExchange.send(running.port(), TimeoutsContract.post("abc")), 502,
					Problems.BROKEN);
		}
	}

	@Test
	void whatDidNotReachAnInstanceGoesToTheNextWhateverTheMethod() throws Exception {
		this.bad.close();
		try (RunningGateway running = start(EJECTION + "enabled=false")) {
			for (int i = 0; i < 4; i++) {
				Message response = HttpExchange.send(running.port(), TimeoutsContract.post("body " + i));
				assertThat(response.text()).isEqualTo("ok");
				assertThat(this.good.request().text()).isEqualTo("body " + i);
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
		}
	}

	@Test
	void connectionsThatAreResetAsTheyAreAcceptedCostNoRequestItsAnswer() throws Exception {
		this.bad.resetConnections();
		try (RunningGateway running = start(EJECTION + "enabled=false")) {
			for (int i = 0; i < 100; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.bad.acceptedConnections()).isBetween(50, 100);
			assertThat(running.upstreamEvents("retries")).isEqualTo(50);
		}
	}

	@Test
	void whatFoundNoFreeConnectionToAnInstanceGoesToTheNextWhateverTheMethod() throws Exception {
		this.bad.answer((out) -> {
			RawUpstream.await(this.end);
			out.write(OK.getBytes());
		});
		try (RunningGateway running = start(EJECTION + "consecutive-failures=1",
				"gateway-bench.http-client.max-connections-per-instance=1",
				"gateway-bench.http-client.acquire-timeout=500ms")) {
			CompletableFuture<Message> holder = CompletableFuture.supplyAsync(() -> {
				try {
					return get(running);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}, (task) -> new Thread(task).start());
			this.bad.request();
			for (int i = 0; i < 4; i++) {
				Message response = HttpExchange.send(running.port(), TimeoutsContract.post("body " + i));
				assertThat(response.text()).isEqualTo("ok");
				assertThat(this.good.request().text()).isEqualTo("body " + i);
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
			assertThat(running.upstreamEvents("ejections")).isZero();
			this.end.countDown();
			assertThat(holder.join().text()).isEqualTo("ok");
		}
	}

	@Test
	void whatMayHaveReachedAnInstanceIsSentAgainIfItMayBe() throws Exception {
		this.bad.answer((out) -> {
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = start(EJECTION + "enabled=false")) {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(get(running).text()).isEqualTo("ok");
			Message first = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			Message second = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 502);
			Problems.assertProblem((first.status() == 502) ? first : second, 502, Problems.BROKEN);
		}
	}

	@Test
	void anInstanceThatDoesNotAnswerIsSparedAfterAFewRequestsAndTriedAgain() throws Exception {
		this.bad.answer(OK);
		try (RunningGateway running = start(UPSTREAM + "timeouts.response=1s", EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=1s")) {
			// A cold gateway might be too slow for the retry
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			int before = this.bad.pendingRequests();
			this.bad.answer((out) -> RawUpstream.await(this.end));
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(this.bad.pendingRequests() - before).isBetween(2, 4);
			this.bad.answer(OK);
			this.end.countDown();
			awaitRecovery(running);
		}
	}

	@Test
	void anInstanceThatWasStoppedTakesItsTurnsAgainWhenItIsBack() throws Exception {
		this.bad.close();
		try (RunningGateway running = start(EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=100ms")) {
			for (int i = 0; i < 6; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(running.upstreamEvents("recoveries")).isZero();
			this.bad = new RawUpstream(this.bad.port());
			this.bad.answer(OK);
			awaitRecovery(running);
			int before = this.bad.pendingRequests();
			for (int i = 0; i < 10; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.bad.pendingRequests() - before).isEqualTo(5);
		}
	}

	@Test
	void anInstanceThatBreaksOffItsResponsesIsEjected() throws Exception {
		this.bad.answer(FaultsContract::breakOff);
		try (RunningGateway running = start(EJECTION + "consecutive-failures=2", EJECTION + "base-ejection-time=1m")) {
			List<Integer> statuses = statuses(running, TimeoutsContract.post("abc"), 12);
			assertThat(statuses).containsOnly(200, 502).filteredOn((status) -> status == 502).hasSize(2);
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
		}
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldComesFromAnotherInstance() throws Exception {
		this.good.answer(OBJECT);
		this.bad.answer(FaultsContract::breakOff);
		try (RunningGateway running = start(EJECTION + "enabled=false")) {
			for (int i = 0; i < 10; i++) {
				Message response = get(running);
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
				assertThat(response.headers("From")).containsExactly("good");
				assertThat(response.headers("Content-Type")).containsExactly("application/json");
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(5);
		}
	}

	/**
	 * Spring takes a reset for a client that left, and would end the response as if it
	 * were whole.
	 */
	@ParameterizedTest
	@CsvSource({ "RecordGatewayMetrics, Transfer-Encoding: chunked, text/plain",
			"AddGatewayHeaders, Transfer-Encoding: chunked, text/plain",
			"InjectGatewayMetadata, Transfer-Encoding: chunked, application/json",
			"RecordGatewayMetrics, Transfer-Encoding: chunked, text/event-stream",
			"RecordGatewayMetrics, Connection: close, text/plain",
			"InjectGatewayMetadata, Connection: close, application/json" })
	void aResponseThatAnAddressBreaksOffIsNeverComplete(String filter, String framing, String type) throws Exception {
		this.good.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n\r\n".formatted(type, framing).getBytes());
			String piece = "[" + "x".repeat(20_000);
			out.write(
					(framing.contains("chunked") ? "%x\r\n%s\r\n".formatted(piece.length(), piece) : piece).getBytes());
			out.flush();
			LockSupport.parkNanos(100_000_000);
			throw new RawUpstream.Reset();
		});
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.good.url(), List.of(filter))) {
			for (int i = 0; i < 5; i++) {
				assertThat(isComplete(running)).isFalse();
			}
		}
	}

	/**
	 * What fails first is often a write of the request, and the end of the connection
	 * would be the end of such a body.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/json" })
	void aResponseUntilCloseThatIsResetDuringTheUploadIsNeverComplete(String type) throws Exception {
		Random random = new Random(1);
		this.bad.answerEarly((out) -> {
			String head = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n".formatted(type);
			out.write((head + "{\"a\":\"" + "x".repeat(20_000)).getBytes());
			out.flush();
			LockSupport.parkNanos(random.nextInt(3_000_000));
			throw new RawUpstream.Reset();
		});
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.bad.url()))) {
			for (int i = 0; i < 200; i++) {
				try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
					client.setSoTimeout(20_000);
					assertThat(isCompleteAfterUpload(client)).as("round %d", i).isFalse();
				}
			}
		}
	}

	private static boolean isCompleteAfterUpload(Socket client) {
		int pieces = 50;
		String piece = "x".repeat(1_000);
		try {
			OutputStream out = client.getOutputStream();
			out.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\n"
				.formatted(pieces * piece.length())
				.getBytes());
			for (int i = 0; i < pieces; i++) {
				out.write(piece.getBytes());
				LockSupport.parkNanos(10_000);
			}
			return Message.read(client.getInputStream(), false, () -> {
			}).status() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static boolean isComplete(RunningGateway running) {
		try {
			return get(running).status() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	void theFiltersOfTheRouteTakeTheSecondResponseForTheOnlyOne() throws Exception {
		this.good.answer(OBJECT);
		this.bad.answer(FaultsContract::breakOff);
		try (RunningGateway running = this.gateway.startWithNativeRoute("rr://service",
				List.of("InjectGatewayMetadata", "StripPrefix=1", "AddRequestHeader=X-A,1", "AddResponseHeader=X-B,2",
						"RemoveResponseHeader=From"),
				UPSTREAM + "instances[0]=" + this.bad.url(), UPSTREAM + "instances[1]=" + this.good.url(),
				EJECTION + "enabled=false")) {
			for (int i = 0; i < 4; i++) {
				Message response = get(running);
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
				assertThat(response.headers("X-B")).containsExactly("2");
				assertThat(response.headers("From")).isEmpty();
				Message request = this.good.request();
				assertThat(request.target()).isEqualTo("/x");
				assertThat(request.headers("X-A")).containsExactly("1");
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
		}
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldIsABadGatewayIfTheRequestMayNotBeRepeated() throws Exception {
		this.bad.answer(FaultsContract::breakOff);
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.bad.url()))) {
			Problems.assertProblem(get(running), 502, Problems.BROKEN);
		}
		try (RunningGateway running = start(EJECTION + "enabled=false")) {
			assertThat(statuses(running, TimeoutsContract.post("abc"), 2)).containsExactlyInAnyOrder(200, 502);
			assertThat(running.upstreamEvents("retries")).isZero();
		}
	}

	@Test
	void anErrorOfTheInstanceIsPassedOnUnlessItCountsAsAFailure() throws Exception {
		this.bad.answer(ERROR);
		try (RunningGateway running = start(EJECTION + "consecutive-failures=2")) {
			List<Integer> statuses = statuses(running, HttpExchange.getRequest("/service/x"), 20);
			assertThat(statuses).containsOnly(200, 500).filteredOn((status) -> status == 500).hasSize(10);
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@Test
	void anErrorThatCountsAsAFailureEjectsTheInstanceAndAnotherOneAnswers() throws Exception {
		this.bad.answer(ERROR);
		try (RunningGateway running = start(EJECTION + "include-5xx=true", EJECTION + "consecutive-failures=2",
				EJECTION + "base-ejection-time=1m")) {
			for (int i = 0; i < 20; i++) {
				Message response = get(running);
				assertThat(response.text()).isEqualTo("ok");
				assertThat(response.headers("From")).isEmpty();
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			assertThat(this.bad.pendingRequests()).isEqualTo(2);
		}
	}

	@Test
	void theBodyOfAnErrorThatCountsAsAFailureIsNotWaitedFor() throws Exception {
		this.bad.answer((out) -> {
			out.write("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\n".getBytes());
			out.flush();
			RawUpstream.await(this.end);
		});
		try (RunningGateway running = start(EJECTION + "include-5xx=true")) {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(running.upstreamEvents("retries")).isEqualTo(1);
		}
	}

	@Test
	void anErrorThatCountsAsAFailureIsTheAnswerIfTheRequestMayNotBeRepeated() throws Exception {
		this.bad.answer(ERROR);
		try (RunningGateway running = start(EJECTION + "include-5xx=true")) {
			Message first = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			Message second = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			Message error = (first.status() == 500) ? first : second;
			assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 500);
			assertThat(error.text()).isEqualTo("sorry");
			assertThat(error.headers("From")).containsExactly("bad");
		}
	}

	/**
	 * Apache's client would send a space in place of the line feed, and the name as it
	 * is.
	 */
	@ParameterizedTest
	@CsvSource({ "X-Spoilt, 'a\nb'", "X-Spoilt, 'a\rb'", "X-Spoilt, 'a\u0000b'", "'X Spoilt', a",
			"'X-Spoilt: a\nX-Forged', b", "X:Spoilt, a" })
	void aHeaderThatTheApplicationSpoilsIsItsOwnErrorAndNoFailureOfTheInstance(String name, String value)
			throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute("rr://service",
				List.of("AddRequestHeader=%s,%s".formatted(name, value)), UPSTREAM + "instances[0]=" + this.bad.url(),
				UPSTREAM + "instances[1]=" + this.good.url(), EJECTION + "consecutive-failures=1")) {
			assertThat(statuses(running, HttpExchange.getRequest("/service/x"), 4)).containsOnly(500);
			assertThat(statuses(running, TimeoutsContract.post("abc"), 4)).containsOnly(500);
			assertThat(running.upstreamEvents("ejections")).isZero();
			assertThat(running.upstreamEvents("retries")).isZero();
			assertThat(this.good.pendingRequests() + this.bad.pendingRequests()).isZero();
		}
	}

	@Test
	void theLastInstanceIsNeverEjected() throws Exception {
		int goodPort = this.good.port();
		this.good.close();
		this.bad.close();
		try (RunningGateway running = start(EJECTION + "consecutive-failures=1", EJECTION + "base-ejection-time=1m")) {
			for (int i = 0; i < 5; i++) {
				Problems.assertProblem(get(running), 502, Problems.REFUSED);
			}
			assertThat(running.upstreamEvents("ejections")).isEqualTo(1);
			this.good = new RawUpstream(goodPort);
			this.good.answer(OK);
			assertThat(get(running).text()).isEqualTo("ok");
		}
	}

	@Test
	void connectionsThatCloseAfterEachResponseAreNoFailure() throws Exception {
		this.bad.answer((out) -> {
			out.write(OK.getBytes());
			out.flush();
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = start()) {
			for (int i = 0; i < 40; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@Test
	void aHeavyInstanceTakesMoreRequests() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(),
				UPSTREAM + "instances[0].url=" + this.good.url(), UPSTREAM + "instances[0].weight=3",
				UPSTREAM + "instances[1]=" + this.bad.url())) {
			for (int i = 0; i < 12; i++) {
				get(running);
			}
			assertThat(this.good.pendingRequests()).isEqualTo(9);
			assertThat(this.bad.pendingRequests()).isEqualTo(3);
		}
	}

	@Test
	void instancesChangeWhenTheConfigurationIsRefreshed() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.good.url()))) {
			get(running);
			change(running, this.bad.url());
			get(running);
			get(running);
			assertThat(this.good.pendingRequests()).isEqualTo(1);
			assertThat(this.bad.pendingRequests()).isEqualTo(2);
			change(running, "ftp://nowhere");
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(this.bad.pendingRequests()).isEqualTo(3);
		}
	}

	@Test
	void whereRoundRobinIsOffTheFirstInstanceTakesAllAfterARefreshToo() throws Exception {
		this.bad.answer(OK);
		try (RunningGateway running = start("gateway-bench.round-robin.enabled=false")) {
			change(running, this.bad.url(), this.good.url());
			for (int i = 0; i < 4; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.bad.pendingRequests()).isEqualTo(4);
		}
	}

	private static void change(RunningGateway running, String... instances) {
		Map<String, Object> changed = new HashMap<>();
		for (int i = 0; i < instances.length; i++) {
			changed.put(UPSTREAM + "instances[%d]".formatted(i), instances[i]);
		}
		running.context().getEnvironment().getPropertySources().remove("changed");
		running.context().getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
		running.context().publishEvent(new EnvironmentChangeEvent(running.context(), changed.keySet()));
	}

	private void awaitRecovery(RunningGateway running) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(running.upstreamEvents("recoveries")).isEqualTo(1);
		});
	}

	private RunningGateway start(String... properties) {
		return this.gateway.startWithRoute(List.of(this.bad.url(), this.good.url()), properties);
	}

	private static void breakOff(OutputStream out) throws IOException {
		out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\nFrom: bad\r\n\r\n{"
			.getBytes());
		out.flush();
		throw new IOException("Closed by the test");
	}

	private static List<Integer> statuses(RunningGateway running, String request, int times) {
		return IntStream.range(0, times).mapToObj((i) -> {
			try {
				return HttpExchange.send(running.port(), request).status();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).toList();
	}

	private static Message get(RunningGateway running) throws IOException {
		return HttpExchange.get(running.port(), "/service/x");
	}

}
