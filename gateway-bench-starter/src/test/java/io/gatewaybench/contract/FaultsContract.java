package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.gatewaybench.contract.TwoInstances.EJECTION;
import static io.gatewaybench.contract.TwoInstances.ERROR;
import static io.gatewaybench.contract.TwoInstances.OBJECT;
import static io.gatewaybench.contract.TwoInstances.OK;
import static io.gatewaybench.contract.TwoInstances.UPSTREAM;
import static io.gatewaybench.contract.TwoInstances.get;
import static io.gatewaybench.contract.TwoInstances.statuses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of requests when an instance fails: which are sent again, and what the
 * client gets.
 */
class FaultsContract {

	private final Gateway gateway;

	private TwoInstances instances;

	FaultsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startInstances() throws IOException {
		this.instances = new TwoInstances(this.gateway);
	}

	@AfterEach
	void stopInstances() throws IOException {
		this.instances.close();
	}

	@Test
	void aRefusedConnectionIsABadGateway() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.instances.bad().url()))) {
			this.instances.bad().close();
			Problems.assertProblem(get(running), 502, Problems.REFUSED);
			Message head = HttpExchange.send(running.port(),
					"HEAD /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
			assertThat(head.status()).isEqualTo(502);
		}
	}

	@Test
	void anUpstreamThatDoesNotAnswerWithAResponseIsABadGateway() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.instances.bad().url()),
				EJECTION + "enabled=false")) {
			for (String response : List.of("", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n",
					"nonsense\r\n\r\n", "HTTP/9.9 abc\r\n\r\n")) {
				this.instances.bad().answer((out) -> {
					out.write(response.getBytes());
					out.flush();
					throw new IOException("Closed by the test");
				});
				Problems.assertProblem(get(running), 502, Problems.BROKEN);
				Problems.assertProblem(HttpExchange.send(running.port(), TimeoutsContract.post("abc")), 502,
						Problems.BROKEN);
			}
		}
	}

	@Test
	void whatDidNotReachAnInstanceGoesToTheNextWhateverTheMethod() throws Exception {
		try (RunningGateway running = this.instances.start(EJECTION + "enabled=false")) {
			// Not before the gateway listens: it might get the port, and be its own
			// upstream
			this.instances.bad().close();
			for (int i = 0; i < 4; i++) {
				Message response = HttpExchange.send(running.port(), TimeoutsContract.post("body " + i));
				assertThat(response.text()).isEqualTo("ok");
				assertThat(this.instances.good().request().text()).isEqualTo("body " + i);
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
		}
	}

	@Test
	void connectionsThatAreResetAsTheyAreAcceptedCostNoRequestItsAnswer() throws Exception {
		this.instances.bad().resetConnections();
		try (RunningGateway running = this.instances.start(EJECTION + "enabled=false")) {
			for (int i = 0; i < 100; i++) {
				assertThat(get(running).text()).isEqualTo("ok");
			}
			assertThat(this.instances.bad().acceptedConnections()).isBetween(50, 100);
			assertThat(running.upstreamEvents("retries")).isEqualTo(50);
		}
	}

	@Test
	void whatFoundNoFreeConnectionToAnInstanceGoesToTheNextWhateverTheMethod() throws Exception {
		this.instances.bad().answer((out) -> {
			this.instances.await();
			out.write(OK.getBytes());
		});
		try (RunningGateway running = this.instances.start(EJECTION + "consecutive-failures=1",
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
			this.instances.bad().request();
			for (int i = 0; i < 4; i++) {
				Message response = HttpExchange.send(running.port(), TimeoutsContract.post("body " + i));
				assertThat(response.text()).isEqualTo("ok");
				assertThat(this.instances.good().request().text()).isEqualTo("body " + i);
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
			assertThat(running.upstreamEvents("ejections")).isZero();
			this.instances.endWaiting();
			assertThat(holder.join().text()).isEqualTo("ok");
		}
	}

	@Test
	void whatMayHaveReachedAnInstanceIsSentAgainIfItMayBe() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		try (RunningGateway running = this.instances.start(EJECTION + "enabled=false")) {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(get(running).text()).isEqualTo("ok");
			Message first = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			Message second = HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 502);
			Problems.assertProblem((first.status() == 502) ? first : second, 502, Problems.BROKEN);
		}
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldComesFromAnotherInstance() throws Exception {
		this.instances.good().answer(OBJECT);
		this.instances.bad().answer(TwoInstances::breakOff);
		try (RunningGateway running = this.instances.start(EJECTION + "enabled=false")) {
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
		this.instances.good().answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n\r\n".formatted(type, framing).getBytes());
			String piece = "[" + "x".repeat(20_000);
			out.write(
					(framing.contains("chunked") ? "%x\r\n%s\r\n".formatted(piece.length(), piece) : piece).getBytes());
			out.flush();
			LockSupport.parkNanos(100_000_000);
			throw new RawUpstream.Reset();
		});
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.instances.good().url(), List.of(filter))) {
			for (int i = 0; i < 5; i++) {
				assertThatItBreaksOff(() -> get(running));
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
		this.instances.bad().answerEarly((out) -> {
			String head = "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n".formatted(type);
			out.write((head + "{\"a\":\"" + "x".repeat(20_000)).getBytes());
			out.flush();
			LockSupport.parkNanos(random.nextInt(3_000_000));
			throw new RawUpstream.Reset();
		});
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.instances.bad().url()))) {
			for (int i = 0; i < 200; i++) {
				try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
					client.setSoTimeout(20_000);
					assertThatItBreaksOff(() -> upload(client));
				}
			}
		}
	}

	private static Message upload(Socket client) throws IOException {
		int pieces = 50;
		String piece = "x".repeat(1_000);
		OutputStream out = client.getOutputStream();
		out.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\n"
			.formatted(pieces * piece.length())
			.getBytes());
		for (int i = 0; i < pieces; i++) {
			out.write(piece.getBytes());
			LockSupport.parkNanos(10_000);
		}
		return Message.read(client.getInputStream(), false, () -> {
		});
	}

	/**
	 * In the response, or before it: then the gateway says so. A timeout is no end.
	 */
	private static void assertThatItBreaksOff(Callable<Message> exchange) throws Exception {
		try {
			Message response = exchange.call();
			Problems.assertProblem(response, 502, Problems.BROKEN);
		}
		catch (EOFException | SocketException ex) {
			// Broken off, as it must be
		}
	}

	@Test
	void theFiltersOfTheRouteTakeTheSecondResponseForTheOnlyOne() throws Exception {
		this.instances.good().answer(OBJECT);
		this.instances.bad().answer(TwoInstances::breakOff);
		try (RunningGateway running = this.gateway.startWithNativeRoute("rr://service",
				List.of("InjectGatewayMetadata", "StripPrefix=1", "AddRequestHeader=X-A,1", "AddResponseHeader=X-B,2",
						"RemoveResponseHeader=From"),
				UPSTREAM + "instances[0]=" + this.instances.bad().url(),
				UPSTREAM + "instances[1]=" + this.instances.good().url(), EJECTION + "enabled=false")) {
			for (int i = 0; i < 4; i++) {
				Message response = get(running);
				assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
				assertThat(response.headers("X-B")).containsExactly("2");
				assertThat(response.headers("From")).isEmpty();
				Message request = this.instances.good().request();
				assertThat(request.target()).isEqualTo("/x");
				assertThat(request.headers("X-A")).containsExactly("1");
			}
			assertThat(running.upstreamEvents("retries")).isEqualTo(2);
		}
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldIsABadGatewayIfTheRequestMayNotBeRepeated() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.instances.bad().url()))) {
			Problems.assertProblem(get(running), 502, Problems.BROKEN);
		}
		try (RunningGateway running = this.instances.start(EJECTION + "enabled=false")) {
			assertThat(statuses(running, TimeoutsContract.post("abc"), 2)).containsExactlyInAnyOrder(200, 502);
			assertThat(running.upstreamEvents("retries")).isZero();
		}
	}

	@Test
	void anErrorOfTheInstanceIsPassedOnUnlessItCountsAsAFailure() throws Exception {
		this.instances.bad().answer(ERROR);
		try (RunningGateway running = this.instances.start(EJECTION + "consecutive-failures=2")) {
			List<Integer> statuses = statuses(running, HttpExchange.getRequest("/service/x"), 20);
			assertThat(statuses).containsOnly(200, 500).filteredOn((status) -> status == 500).hasSize(10);
			assertThat(running.upstreamEvents("ejections")).isZero();
		}
	}

	@Test
	void theBodyOfAnErrorThatCountsAsAFailureIsNotWaitedFor() throws Exception {
		this.instances.bad().answer((out) -> {
			out.write("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\n".getBytes());
			out.flush();
			this.instances.await();
		});
		try (RunningGateway running = this.instances.start(EJECTION + "include-5xx=true")) {
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(get(running).text()).isEqualTo("ok");
			assertThat(running.upstreamEvents("retries")).isEqualTo(1);
		}
	}

	@Test
	void anErrorThatCountsAsAFailureIsTheAnswerIfTheRequestMayNotBeRepeated() throws Exception {
		this.instances.bad().answer(ERROR);
		try (RunningGateway running = this.instances.start(EJECTION + "include-5xx=true")) {
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
	@Test
	void aHeaderThatTheApplicationSpoilsIsItsOwnErrorAndNoFailureOfTheInstance() throws Exception {
		List<String> spoilt = List.of("X-Spoilt,a\nb", "X-Spoilt,a\rb", "X-Spoilt,a\u0000b", "X Spoilt,a",
				"X-Spoilt: a\nX-Forged,b", "X:Spoilt,a");
		List<String> properties = new ArrayList<>(List.of(UPSTREAM + "instances[0]=" + this.instances.bad().url(),
				UPSTREAM + "instances[1]=" + this.instances.good().url(), EJECTION + "consecutive-failures=1"));
		for (int i = 0; i < spoilt.size(); i++) {
			String route = "%s.routes[%d].".formatted(this.gateway.nativePrefix(), i);
			properties.add(route + "id=route-" + i);
			properties.add(route + "uri=rr://service");
			properties.add(route + "predicates[0]=Path=/service/%d/**".formatted(i));
			properties.add(route + "filters[0]=AddRequestHeader=" + spoilt.get(i));
		}
		try (RunningGateway running = this.gateway.start(properties.toArray(String[]::new))) {
			for (int i = 0; i < spoilt.size(); i++) {
				String target = "/service/%d/x".formatted(i);
				assertThat(statuses(running, HttpExchange.getRequest(target), 4)).as(spoilt.get(i)).containsOnly(500);
				assertThat(statuses(running, TimeoutsContract.post("abc").replace("/service/x", target), 4))
					.as(spoilt.get(i))
					.containsOnly(500);
			}
			assertThat(running.upstreamEvents("ejections")).isZero();
			assertThat(running.upstreamEvents("retries")).isZero();
			assertThat(this.instances.good().pendingRequests() + this.instances.bad().pendingRequests()).isZero();
		}
	}

}
