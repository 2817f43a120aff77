package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What clients do while they send the body of a request.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UploadsContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

	private static final String REFUSAL = "no".repeat(50_000);

	private static final int LENGTH = 2_000_000;

	private static final int ABORTED = 24;

	private final Gateway gateway;

	private RawUpstream upstream;

	private RawUpstream another;

	/**
	 * Breaks connections off, once it has read a request.
	 */
	private RawUpstream breaking;

	/**
	 * With a route to the first two upstreams, one to the first alone and one that has to
	 * answer soon, and one to the upstream that breaks off and the first.
	 */
	private RunningGateway running;

	/**
	 * Where routes without an upstream have all features.
	 */
	private RunningGateway addresses;

	UploadsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.another = new RawUpstream();
		this.breaking = new RawUpstream();
		this.breaking.answer((out) -> {
			throw new IOException("Closed by the test");
		});
		List<String> single = List.of(this.upstream.url());
		List<String> routes = Gateway.route(1, "single", "single", single);
		routes.addAll(this.gateway.nativeRoute(0, "native", "/native/**", "rr://single", List.of()));
		routes.addAll(Gateway.route(2, "prompt", "prompt", single));
		routes.add("gateway-bench.upstreams.prompt.timeouts.response=300ms");
		routes.addAll(Gateway.route(3, "breaking", "breaking", List.of(this.breaking.url(), this.upstream.url())));
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url(), this.another.url()),
				routes.toArray(String[]::new));
		this.addresses = this.gateway.startWithNativeRoute(this.upstream.url(), List.of(), "gateway-bench.scope=all");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.addresses.close();
		this.upstream.close();
		this.another.close();
		this.breaking.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.upstream.answer(OK);
		this.another.startOver();
		this.another.answer(OK);
	}

	@ParameterizedTest
	@EnumSource
	void theServerAnswersTheExpectationOfAClient(Route route) throws Exception {
		for (boolean waiting : new boolean[] { true, false, true }) {
			assertThat(expectAndUpload(route, waiting).text()).isEqualTo("ok");
			Message request = this.upstream.request();
			assertThat(request.headers("Expect")).isEmpty();
			assertThat(request.body()).hasSize(LENGTH);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anUpstreamCanRefuseABodyThatIsStillToCome(boolean waiting) throws Exception {
		this.upstream.answerEarly("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
		this.upstream.answer("");
		Message response = expectAndUpload(Route.OF_STARTER, waiting);
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.text()).isEqualTo("no");
	}

	/**
	 * A connection that is closed with bytes still to be read is reset, and what the
	 * client has not got of the response by then is lost.
	 */
	@Test
	void aRefusalIsNotLostOnAClientThatSendsItsBodyNevertheless() throws Exception {
		this.upstream.answerEarly("HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
			.formatted(REFUSAL.length(), REFUSAL));
		this.upstream.answer("");
		for (int i = 0; i < 5; i++) {
			assertThat(refused().text()).as("round %d", i).isEqualTo(REFUSAL);
		}
	}

	private Message refused() throws Exception {
		try (Socket client = new Socket()) {
			// So small that most of the response has to wait
			client.setReceiveBufferSize(4 * 1024);
			client.setSoTimeout(20_000);
			client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.running.port()));
			send(client,
					"PUT /single/x HTTP/1.1\r\nHost: gateway\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
			assertThat(head(client).startLine()).startsWith("HTTP/1.1 100");
			// The refusal comes first, unless the gateway waits for the body
			TimeUnit.MILLISECONDS.sleep(200);
			send(client, "abc");
			return Message.read(client.getInputStream(), false, () -> {
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void anUploadThatItsClientBreaksOffIsNoFaultOfAnyInstance(Abort abort, CapturedOutput output) throws Exception {
		int started = output.length();
		int aborted = aborted(this.running).stream().mapToInt((timer) -> (int) timer.count()).sum();
		for (int i = 0; i < ABORTED; i++) {
			abort.upload(this.running.port());
		}
		awaitAborted(this.running, aborted + ABORTED);
		for (int i = 0; i < 10; i++) {
			assertThat(HttpExchange.send(this.running.port(), TimeoutsContract.post("abc")).text()).isEqualTo("ok");
		}
		assertThat(this.upstream.pendingRequests()).isEqualTo(5);
		assertThat(this.another.pendingRequests()).isEqualTo(5);
		assertThat(this.running.upstreamEvents("ejections", "upstream", "service")).isZero();
		assertThat(this.running.upstreamEvents("retries", "upstream", "service")).isZero();
		// A server may tell of what it refuses to decode
		assertThat(output.toString().substring(started).lines())
			.filteredOn((line) -> line.contains(" WARN ") || line.contains("ERROR"))
			.allMatch((line) -> abort == Abort.BY_MALFORMED_CHUNKS && line.contains("Decoding failed"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aClientThatPausesWhileItSendsIsNoSilenceOfTheUpstream(boolean responseHasBegun) throws Exception {
		String head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhello";
		this.upstream.answerEarly(responseHasBegun ? head : "");
		this.upstream.answer(responseHasBegun ? "world" : head + "world");
		try (Socket client = connect(this.running)) {
			send(client, "PUT /prompt/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 3\r\n\r\n");
			for (int i = 0; i < 3; i++) {
				TimeUnit.MILLISECONDS.sleep(400);
				send(client, "x");
			}
			assertThat(Message.read(client.getInputStream(), false, () -> {
			}).text()).isEqualTo("helloworld");
			assertThat(this.running.upstreamEvents("ejections", "upstream", "prompt")).isZero();
		}
	}

	/**
	 * A client of the upstream that has sent all it got hears of the end at once.
	 */
	@Test
	void anUploadThatBreaksOffOnceItsBeginningIsSentIsNoWarning(CapturedOutput output) throws Exception {
		// More than a client of the upstream collects before it sends
		String chunk = "%x\r\n%s\r\n".formatted(Abort.SENT, "x".repeat(Abort.SENT));
		Semaphore heads = new Semaphore(0);
		this.upstream.answerEarly((out) -> heads.release());
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()))) {
			int started = output.length();
			for (int i = 0; i < ABORTED; i++) {
				// Leaves a connection, which need not be of the next client's thread
				assertThat(HttpExchange.send(running.port(), TimeoutsContract.post("abc")).text()).isEqualTo("ok");
				heads.acquire();
				try (Socket client = connect(running)) {
					send(client, Abort.CHUNKED_HEAD + chunk);
					assertThat(heads.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
				}
			}
			awaitAborted(running, ABORTED);
			assertThat(this.upstream.pendingRequests()).isEqualTo(ABORTED);
			assertThat(output.toString().substring(started)).doesNotContain("ERROR", " WARN ");
		}
	}

	@ParameterizedTest
	@EnumSource
	void chunksThatAreNoneAreABadRequest(Route route) throws Exception {
		try (Socket client = connect(gateway(route))) {
			send(client, Abort.CHUNKED_HEAD.replace("/service", route.path) + "3\r\nabc\r\n");
			Awaitility.await().until(this.upstream::openConnections, (open) -> open > 0);
			send(client, "xyz\r\n");
			assertThat(head(client).status()).isEqualTo(400);
			client.getInputStream().readAllBytes();
			Awaitility.await().until(this.upstream::openConnections, (open) -> open == 0);
			assertThat(this.upstream.pendingRequests()).isZero();
		}
	}

	@Test
	void uploadsThatTheirClientsBreakOffLeaveNothingBehind() throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(50);
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.http-client.max-idle-time=100ms", "server.tomcat.threads.max=15")) {
			HttpExchange.send(running.port(), TimeoutsContract.post("abc"));
			int threads = ConnectionsContract.threads();
			List<Callable<Void>> uploads = new ArrayList<>();
			for (int i = 0; i < ConnectionsContract.TIMES; i++) {
				Abort abort = Abort.values()[i % Abort.values().length];
				uploads.add(() -> {
					abort.upload(running.port());
					return null;
				});
			}
			for (Future<Void> upload : clients.invokeAll(uploads)) {
				upload.get();
			}
			clients.shutdown();
			awaitAborted(running, ConnectionsContract.TIMES);
			ConnectionsContract.awaitNoConnection(this.upstream);
			ConnectionsContract.awaitThreads(threads);
			assertThat(this.upstream.pendingRequests()).isOne();
			assertThat(running.upstreamEvents("ejections")).isZero();
			assertThat(HttpExchange.send(running.port(), TimeoutsContract.post("abc")).text()).isEqualTo("ok");
		}
		finally {
			clients.shutdownNow();
		}
	}

	/**
	 * Over HTTP/2 no header tells that there is a body.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBodyOfWhichAnInstanceHasReadSomethingIsNotSentToAnother(boolean overHttp2) throws Exception {
		if (!overHttp2) {
			assertThatNoOtherInstanceGetsTheBody(this.running, "breaking");
			return;
		}
		try (RunningGateway running = this.gateway.overHttp2()
			.startWithRoute(List.of(this.breaking.url(), this.upstream.url()))) {
			assertThatNoOtherInstanceGetsTheBody(running, "service");
		}
	}

	private void assertThatNoOtherInstanceGetsTheBody(RunningGateway running, String route) throws Exception {
		String body = "x".repeat(50_000);
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			statuses.add(HttpExchange
				.send(running.port(), "PUT /%s/x HTTP/1.1\r\nHost: gateway\r\n".formatted(route)
						+ "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n".formatted(body.length(), body))
				.status());
		}
		assertThat(statuses).containsExactlyInAnyOrder(200, 200, 502, 502);
		assertThat(this.upstream.request().text()).isEqualTo(body);
		assertThat(this.upstream.request().text()).isEqualTo(body);
		assertThat(running.upstreamEvents("retries", "upstream", route)).isZero();
		for (int i = 0; i < 4; i++) {
			assertThat(HttpExchange.get(running.port(), "/%s/x".formatted(route)).text()).isEqualTo("ok");
		}
		assertThat(running.upstreamEvents("retries", "upstream", route)).isEqualTo(2);
	}

	static void awaitAborted(RunningGateway running, int count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(aborted(running)).extracting(Timer::count, (timer) -> timer.getId().getTag("status"))
				.containsExactly(tuple((long) count, "none"));
		});
	}

	private static Collection<Timer> aborted(RunningGateway running) {
		return running.context()
			.getBean(MeterRegistry.class)
			.find("gateway.bench.requests")
			.tags("route", "the-route", "outcome", "ABORTED")
			.timers();
	}

	private Message expectAndUpload(Route route, boolean waiting) throws IOException {
		try (Socket client = connect(gateway(route))) {
			send(client, "PUT %s/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nExpect: 100-continue\r\n"
				.formatted(route.path) + "Content-Length: %d\r\n\r\n".formatted(LENGTH));
			Message head = waiting ? head(client) : null;
			try {
				send(client, "x".repeat(LENGTH));
			}
			catch (SocketException ex) {
				// A server need not read the rest of a body that is refused
			}
			if (head == null) {
				head = head(client);
			}
			assertThat(head.startLine()).startsWith("HTTP/1.1 100");
			return Message.read(client.getInputStream(), false, () -> {
			});
		}
	}

	private RunningGateway gateway(Route route) {
		return (route == Route.TO_ADDRESS) ? this.addresses : this.running;
	}

	private static Socket connect(RunningGateway running) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port());
		client.setSoTimeout(20_000);
		return client;
	}

	private static void send(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	private static Message head(Socket client) throws IOException {
		InputStream in = client.getInputStream();
		return Message.read(in, true, () -> {
		});
	}

	/**
	 * How clients break off.
	 */
	enum Abort {

		/** The client closes its connection before the end of the length. */
		BY_CLOSING {
			@Override
			void upload(int port) throws IOException {
				try (Socket client = begin(port, LENGTH_HEAD)) {
					send(client, "x".repeat(SENT));
				}
			}
		},

		/** The client resets its connection before the end of the length. */
		BY_RESETTING {
			@Override
			void upload(int port) throws IOException {
				try (Socket client = begin(port, LENGTH_HEAD)) {
					client.setSoLinger(true, 0);
					send(client, "x".repeat(SENT));
				}
			}
		},

		/** The client closes its connection before the last chunk. */
		BY_CLOSING_BETWEEN_CHUNKS {
			@Override
			void upload(int port) throws IOException {
				try (Socket client = begin(port, CHUNKED_HEAD)) {
					send(client, "%x\r\n%s\r\n".formatted(SENT, "x".repeat(SENT)));
				}
			}
		},

		/** The client sends something else than a chunk. */
		BY_MALFORMED_CHUNKS {
			@Override
			void upload(int port) throws IOException {
				try (Socket client = begin(port, CHUNKED_HEAD)) {
					send(client, "%x\r\n%s\r\nxyz\r\n".formatted(SENT, "x".repeat(SENT)));
					assertThat(head(client).status()).isEqualTo(400);
				}
			}
		};

		private static final int SENT = 20_000;

		private static final String LENGTH_HEAD = "PUT /service/x HTTP/1.1\r\nHost: gateway\r\n"
				+ "Content-Length: 1000000\r\n\r\n";

		private static final String CHUNKED_HEAD = "PUT /service/x HTTP/1.1\r\nHost: gateway\r\n"
				+ "Transfer-Encoding: chunked\r\n\r\n";

		abstract void upload(int port) throws IOException;

		private static Socket begin(int port, String head) throws IOException {
			Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
			client.setSoTimeout(20_000);
			send(client, head);
			return client;
		}

	}

	/**
	 * The kinds of routes that go through the starter's client.
	 */
	enum Route {

		/** From the starter's configuration. */
		OF_STARTER("/single"),

		/** A native one with an upstream and without features. */
		TO_UPSTREAM("/native"),

		/** A native one with features and without an upstream. */
		TO_ADDRESS("/service");

		private final String path;

		Route(String path) {
			this.path = path;
		}

	}

}
