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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.gatewaybench.contract.TwoInstances.EJECTION;
import static io.gatewaybench.contract.TwoInstances.ERROR;
import static io.gatewaybench.contract.TwoInstances.OBJECT;
import static io.gatewaybench.contract.TwoInstances.OK;
import static io.gatewaybench.contract.TwoInstances.get;
import static io.gatewaybench.contract.TwoInstances.statuses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of requests when an instance fails: which are sent again, and what the
 * client gets.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsContract {

	private static final List<String> SPOILT = List.of("X-Spoilt,a\nb", "X-Spoilt,a\rb", "X-Spoilt,a\u0000b",
			"X Spoilt,a", "X-Spoilt: a\nX-Forged,b", "X:Spoilt,a");

	private final Gateway gateway;

	private TwoInstances instances;

	private ClosedPort closed;

	/**
	 * In front of both instances, of which none is ejected.
	 */
	private RunningGateway both;

	/**
	 * In front of one instance for most routes, and of both for two of them. The first
	 * failure ejects.
	 */
	private RunningGateway single;

	/**
	 * In front of both instances, where errors count as failures.
	 */
	private RunningGateway counting;

	FaultsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.instances = new TwoInstances(this.gateway);
		this.closed = new ClosedPort();
		List<String> properties = this.gateway.nativeRoute(0, "filtered", "/filtered/**", "rr://service",
				List.of("InjectGatewayMetadata", "StripPrefix=1", "AddRequestHeader=X-A,1", "AddResponseHeader=X-B,2",
						"RemoveResponseHeader=From"));
		properties.addAll(Gateway.route(1, "half", "half", List.of(this.closed.url(), this.instances.good().url())));
		properties.add(EJECTION + "enabled=false");
		this.both = this.instances.start(properties.toArray(String[]::new));
		List<String> filters = List.of("RecordGatewayMetrics", "AddGatewayHeaders", "InjectGatewayMetadata");
		List<String> routes = Gateway.route(1, "closed", "closed", List.of(this.closed.url()));
		for (String filter : filters) {
			routes.addAll(this.gateway.nativeRoute(filters.indexOf(filter), filter, "/" + filter + "/**",
					this.instances.good().url(), List.of(filter)));
		}
		routes.addAll(Gateway.route(2, "failing", "failing",
				List.of(this.instances.bad().url(), this.instances.good().url())));
		routes.addAll(spoilt(filters.size()));
		routes.add(EJECTION + "consecutive-failures=1");
		this.single = this.gateway.startWithRoute(List.of(this.instances.bad().url()), routes.toArray(String[]::new));
		this.counting = this.instances.start(EJECTION + "include-5xx=true");
	}

	@AfterAll
	void stop() throws IOException {
		this.both.close();
		this.single.close();
		this.counting.close();
		this.instances.close();
		this.closed.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.instances.startOver();
	}

	@Test
	void aRefusedConnectionIsABadGateway() throws Exception {
		Problems.assertProblem(HttpExchange.get(this.single.port(), "/closed/x"), 502, Problems.REFUSED);
		Message head = HttpExchange.send(this.single.port(),
				"HEAD /closed/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
		assertThat(head.status()).isEqualTo(502);
	}

	@Test
	void anUpstreamThatDoesNotAnswerWithAResponseIsABadGateway() throws Exception {
		for (String response : List.of("", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n",
				"nonsense\r\n\r\n", "HTTP/9.9 abc\r\n\r\n")) {
			this.instances.bad().answer((out) -> {
				out.write(response.getBytes());
				out.flush();
				throw new IOException("Closed by the test");
			});
			Problems.assertProblem(get(this.single), 502, Problems.BROKEN);
			Problems.assertProblem(HttpExchange.send(this.single.port(), TimeoutsContract.post("abc")), 502,
					Problems.BROKEN);
		}
	}

	@Test
	void whatDidNotReachAnInstanceGoesToTheNextWhateverTheMethod() throws Exception {
		double retries = this.both.upstreamEvents("retries");
		for (int i = 0; i < 4; i++) {
			Message response = HttpExchange.send(this.both.port(),
					TimeoutsContract.post("body " + i).replace("/service/x", "/half/x"));
			assertThat(response.text()).isEqualTo("ok");
			assertThat(this.instances.good().request().text()).isEqualTo("body " + i);
		}
		assertThat(this.both.upstreamEvents("retries")).isEqualTo(retries + 2);
	}

	@Test
	void connectionsThatAreResetAsTheyAreAcceptedCostNoRequestItsAnswer() throws Exception {
		this.instances.bad().resetConnections();
		double retries = this.both.upstreamEvents("retries");
		for (int i = 0; i < 100; i++) {
			assertThat(get(this.both).text()).isEqualTo("ok");
		}
		assertThat(this.instances.bad().acceptedConnections()).isBetween(50, 100);
		assertThat(this.both.upstreamEvents("retries")).isEqualTo(retries + 50);
	}

	@Test
	void whatMayHaveReachedAnInstanceIsSentAgainIfItMayBe() throws Exception {
		this.instances.bad().answer((out) -> {
			throw new IOException("Closed by the test");
		});
		assertThat(get(this.both).text()).isEqualTo("ok");
		assertThat(get(this.both).text()).isEqualTo("ok");
		Message first = HttpExchange.send(this.both.port(), TimeoutsContract.post("abc"));
		Message second = HttpExchange.send(this.both.port(), TimeoutsContract.post("abc"));
		assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 502);
		Problems.assertProblem((first.status() == 502) ? first : second, 502, Problems.BROKEN);
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldComesFromAnotherInstance() throws Exception {
		this.instances.good().answer(OBJECT);
		this.instances.bad().answer(TwoInstances::breakOff);
		double retries = this.both.upstreamEvents("retries");
		for (int i = 0; i < 10; i++) {
			Message response = get(this.both);
			assertThat(response.status()).isEqualTo(200);
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
			assertThat(response.headers("From")).containsExactly("good");
			assertThat(response.headers("Content-Type")).containsExactly("application/json");
		}
		assertThat(this.both.upstreamEvents("retries")).isEqualTo(retries + 5);
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
			LockSupport.parkNanos(50_000_000);
			throw new RawUpstream.Reset();
		});
		for (int i = 0; i < 5; i++) {
			assertThatItBreaksOff(() -> HttpExchange.get(this.single.port(), "/" + filter + "/x"));
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
		for (int i = 0; i < 200; i++) {
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.single.port())) {
				client.setSoTimeout(20_000);
				assertThatItBreaksOff(() -> upload(client));
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
		double retries = this.both.upstreamEvents("retries");
		for (int i = 0; i < 4; i++) {
			Message response = HttpExchange.get(this.both.port(), "/filtered/x");
			assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":");
			assertThat(response.headers("X-B")).containsExactly("2");
			assertThat(response.headers("From")).isEmpty();
			Message request = this.instances.good().request();
			assertThat(request.target()).isEqualTo("/x");
			assertThat(request.headers("X-A")).containsExactly("1");
		}
		assertThat(this.both.upstreamEvents("retries")).isEqualTo(retries + 2);
	}

	@Test
	void aResponseThatBreaksOffWhileItIsHeldIsABadGatewayIfTheRequestMayNotBeRepeated() throws Exception {
		this.instances.bad().answer(TwoInstances::breakOff);
		Problems.assertProblem(get(this.single), 502, Problems.BROKEN);
		double retries = this.both.upstreamEvents("retries");
		assertThat(statuses(this.both, TimeoutsContract.post("abc"), 2)).containsExactlyInAnyOrder(200, 502);
		assertThat(this.both.upstreamEvents("retries")).isEqualTo(retries);
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
	void anErrorOfTheInstanceIsPassedOnUnlessItCountsAsAFailure() throws Exception {
		this.instances.bad().answer(ERROR);
		List<Integer> statuses = statuses(this.single, HttpExchange.getRequest("/failing/x"), 20);
		assertThat(statuses).containsOnly(200, 500).filteredOn((status) -> status == 500).hasSize(10);
		assertThat(this.single.upstreamEvents("ejections", "upstream", "failing")).isZero();
	}

	@Test
	void theBodyOfAnErrorThatCountsAsAFailureIsNotWaitedFor() throws Exception {
		this.instances.bad().answer((out) -> {
			out.write("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\n".getBytes());
			out.flush();
			this.instances.await();
		});
		double retries = this.counting.upstreamEvents("retries");
		assertThat(get(this.counting).text()).isEqualTo("ok");
		assertThat(get(this.counting).text()).isEqualTo("ok");
		assertThat(this.counting.upstreamEvents("retries")).isEqualTo(retries + 1);
	}

	@Test
	void anErrorThatCountsAsAFailureIsTheAnswerIfTheRequestMayNotBeRepeated() throws Exception {
		this.instances.bad().answer(ERROR);
		Message first = HttpExchange.send(this.counting.port(), TimeoutsContract.post("abc"));
		Message second = HttpExchange.send(this.counting.port(), TimeoutsContract.post("abc"));
		Message error = (first.status() == 500) ? first : second;
		assertThat(List.of(first.status(), second.status())).containsExactlyInAnyOrder(200, 500);
		assertThat(error.text()).isEqualTo("sorry");
		assertThat(error.headers("From")).containsExactly("bad");
	}

	/**
	 * Apache's client would send a space in place of the line feed, and the name as it
	 * is.
	 */
	@Test
	void aHeaderThatTheApplicationSpoilsIsItsOwnErrorAndNoFailureOfTheInstance() throws Exception {
		for (int i = 0; i < SPOILT.size(); i++) {
			String target = "/spoilt/%d/x".formatted(i);
			assertThat(statuses(this.single, HttpExchange.getRequest(target), 4)).as(SPOILT.get(i)).containsOnly(500);
			assertThat(statuses(this.single, TimeoutsContract.post("abc").replace("/service/x", target), 4))
				.as(SPOILT.get(i))
				.containsOnly(500);
		}
		assertThat(this.single.upstreamEvents("ejections", "upstream", "spoilt")).isZero();
		assertThat(this.single.upstreamEvents("retries", "upstream", "spoilt")).isZero();
		assertThat(this.instances.good().pendingRequests() + this.instances.bad().pendingRequests()).isZero();
	}

	/**
	 * A native route for each of them, from an index on.
	 */
	private List<String> spoilt(int index) {
		List<String> all = new ArrayList<>(
				List.of("gateway-bench.upstreams.spoilt.instances[0]=" + this.instances.bad().url(),
						"gateway-bench.upstreams.spoilt.instances[1]=" + this.instances.good().url()));
		for (int i = 0; i < SPOILT.size(); i++) {
			all.addAll(this.gateway.nativeRoute(index + i, "spoilt-" + i, "/spoilt/%d/**".formatted(i), "rr://spoilt",
					List.of("AddRequestHeader=" + SPOILT.get(i))));
		}
		return all;
	}

}
