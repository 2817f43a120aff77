package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

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
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * How many connections to upstreams there are, and that none stays behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionsContract {

	/**
	 * How often something is done that could leave something behind.
	 */
	static final int TIMES = Integer.getInteger("gateway-bench.contract.times", 50);

	private static final String SHORT_IDLE_TIME = "gateway-bench.http-client.max-idle-time=100ms";

	private static final String TWO_CONNECTIONS = "gateway-bench.http-client.max-connections-per-instance=2";

	private static final String SHORT_ACQUIRE_TIMEOUT = "gateway-bench.http-client.acquire-timeout=100ms";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	private RunningGateway shortIdleTime;

	private RunningGateway oneConnection;

	private RunningGateway twoConnections;

	private RunningGateway shortLife;

	ConnectionsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		List<String> instances = List.of(this.upstream.url());
		this.running = this.gateway.startWithRoute(instances);
		this.shortIdleTime = this.gateway.startWithRoute(instances, SHORT_IDLE_TIME);
		this.oneConnection = this.gateway.startWithRoute(instances,
				"gateway-bench.http-client.max-connections-per-instance=1");
		List<String> properties = this.gateway.nativeRoute(0, "native", "/native/**", this.upstream.url(),
				List.of("RecordGatewayMetrics"));
		properties.addAll(List.of(TWO_CONNECTIONS, SHORT_ACQUIRE_TIMEOUT));
		this.twoConnections = this.gateway.startWithRoute(instances, properties.toArray(String[]::new));
		this.shortLife = this.gateway.startWithRoute(instances, "gateway-bench.http-client.max-connection-age=100ms",
				"gateway-bench.http-client.max-idle-time=1m", TWO_CONNECTIONS);
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.shortIdleTime.close();
		this.oneConnection.close();
		this.twoConnections.close();
		this.shortLife.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@Test
	void aConnectionThatNobodyUsesIsClosed() throws Exception {
		assertThat(HttpExchange.get(this.shortIdleTime.port(), "/service/x").status()).isEqualTo(204);
		assertThat(this.upstream.acceptedConnections()).isEqualTo(1);
		awaitNoConnection(this.upstream);
	}

	/**
	 * A name may lead to another address by then. Requests with a body are not sent
	 * again, so each one that met a closed connection would fail.
	 */
	@Test
	void aConnectionThatIsAlwaysInUseIsReplacedWhenItIsOldAndNoRequestIsLost() {
		List<CompletableFuture<Void>> clients = Stream.generate(() -> postUntilConnections(20)).limit(4).toList();
		clients.forEach(CompletableFuture::join);
		assertThat(this.upstream.openConnections()).isLessThanOrEqualTo(2);
	}

	@Test
	void aResponseThatTakesLongerThanItsConnectionMayGetOldIsComplete() throws Exception {
		AtomicBoolean begun = new AtomicBoolean();
		CountDownLatch end = new CountDownLatch(1);
		this.upstream.answer((out) -> {
			if (begun.getAndSet(true)) {
				out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				return;
			}
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel".getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(end);
			out.write("lo".getBytes(StandardCharsets.US_ASCII));
		});
		CompletableFuture<Message> response = get(this.shortLife);
		this.upstream.request();
		postUntilConnections(4).join();
		end.countDown();
		assertThat(response.join().text()).isEqualTo("hello");
	}

	/**
	 * One client that sends request after request until the upstream has seen so many
	 * connections. It keeps its own: on WebFlux, a client that leaves as soon as it has
	 * its response may end a connection to the upstream.
	 */
	private CompletableFuture<Void> postUntilConnections(int number) {
		byte[] request = "POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\nhi"
			.getBytes(StandardCharsets.US_ASCII);
		long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
		return CompletableFuture.runAsync(() -> {
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.shortLife.port())) {
				client.setSoTimeout(20_000);
				InputStream in = new BufferedInputStream(client.getInputStream());
				while (this.upstream.acceptedConnections() < number) {
					client.getOutputStream().write(request);
					assertThat(Message.read(in, false, () -> {
					}).status()).isEqualTo(204);
					assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}, (task) -> new Thread(task).start());
	}

	/**
	 * As an upstream does that restarts, or that limits the requests of a connection. The
	 * instance is there, and no other one is.
	 */
	@Test
	void aConnectionThatTheUpstreamHasClosedCostsNoRequest() throws Exception {
		for (int i = 0; i < 20; i++) {
			// Several connections wait in the pool, and each of them is closed
			List<CompletableFuture<Message>> together = Stream.generate(() -> get(this.running)).limit(4).toList();
			together.forEach((response) -> assertThat(response.join().status()).isEqualTo(204));
			this.upstream.closeConnections();
			assertThat(HttpExchange.get(this.running.port(), "/service/x").status()).as("round %d", i).isEqualTo(204);
		}
	}

	/**
	 * Each connection anew is a round trip that some request waits for.
	 */
	@Test
	void aClientKeepsItsConnectionForAnyNumberOfRequests() throws Exception {
		byte[] request = "GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			client.setSoTimeout(20_000);
			InputStream in = new BufferedInputStream(client.getInputStream());
			for (int i = 0; i < 150; i++) {
				client.getOutputStream().write(request);
				Message response = Message.read(in, false, () -> {
				});
				assertThat(response.status()).isEqualTo(204);
				assertThat(response.headers("Connection")).as("response %d", i).isEmpty();
			}
		}
	}

	@Test
	void responsesThatTheClientHasAlreadyLeaveNothingBehind() throws Exception {
		this.upstream
			.answer("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
		HttpExchange.get(this.shortIdleTime.port(), "/service/x");
		int threads = threads();
		for (int i = 0; i < TIMES; i++) {
			Message response = HttpExchange.send(this.shortIdleTime.port(),
					"GET /service/x HTTP/1.1\r\nHost: gateway\r\nIf-None-Match: \"1\"\r\nConnection: close\r\n\r\n");
			assertThat(response.status()).isIn(200, 304);
			this.upstream.request();
		}
		awaitNoConnection(this.upstream);
		awaitThreads(threads);
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/event-stream", "application/octet-stream", "application/json" })
	void clientsThatLeaveInTheMiddleOfAStreamLeaveNothingBehind(String contentType) throws Exception {
		HttpExchange.get(this.shortIdleTime.port(), "/service/x");
		int threads = threads();
		this.upstream.answer((out) -> HttpClientContract.stream(out, contentType));
		for (int i = 0; i < TIMES; i++) {
			this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok");
			assertThat(HttpExchange.get(this.shortIdleTime.port(), "/service/x").text()).isEqualTo("ok");
			this.upstream.request();
			this.upstream.answer((out) -> HttpClientContract.stream(out, contentType));
			HttpClientContract.readSomeAndLeave(this.shortIdleTime.port());
			this.upstream.request();
		}
		awaitNoConnection(this.upstream);
		awaitThreads(threads);
	}

	@Test
	void aClientThatLeavesAsItsResponseEndsBreaksNoOtherRequest() throws Exception {
		Random random = new Random(1);
		// So much that no server keeps all of it until more comes
		String most = "x".repeat(100_000);
		for (int i = 0; i < TIMES; i++) {
			AtomicBoolean begun = new AtomicBoolean();
			CountDownLatch end = new CountDownLatch(1);
			this.upstream.answer((out) -> {
				if (begun.getAndSet(true)) {
					out.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext".getBytes(StandardCharsets.US_ASCII));
					return;
				}
				out.write(("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100001\r\n\r\n" + most)
					.getBytes(StandardCharsets.US_ASCII));
				out.flush();
				RawUpstream.await(end);
				out.write('x');
			});
			CompletableFuture<Message> next;
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.oneConnection.port())) {
				client.setSoTimeout(20_000);
				client.setSoLinger(true, 0);
				client.getOutputStream()
					.write("GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				assertThat(client.getInputStream().read()).isEqualTo('H');
				next = post(this.oneConnection);
				end.countDown();
				LockSupport.parkNanos(random.nextInt(300_000));
			}
			assertThat(next.join().text()).as("round %d", i).isEqualTo("next");
		}
	}

	@Test
	void aClientThatLeavesAsItsResponseBeginsBreaksNoOtherRequest() throws Exception {
		Random random = new Random(1);
		for (int i = 0; i < TIMES; i++) {
			AtomicBoolean begun = new AtomicBoolean();
			CountDownLatch asked = new CountDownLatch(1);
			CountDownLatch left = new CountDownLatch(1);
			this.upstream.answer((out) -> {
				boolean first = !begun.getAndSet(true);
				if (first) {
					asked.countDown();
					RawUpstream.await(left);
				}
				out.write(("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + (first ? "late" : "next"))
					.getBytes(StandardCharsets.US_ASCII));
			});
			CompletableFuture<Message> next;
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.oneConnection.port())) {
				client.setSoLinger(true, 0);
				client.getOutputStream()
					.write("GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				RawUpstream.await(asked);
				next = post(this.oneConnection);
				left.countDown();
				LockSupport.parkNanos(random.nextInt(300_000));
			}
			assertThat(next.join().text()).as("round %d", i).isEqualTo("next");
		}
	}

	@Test
	void theConnectionsToAnInstanceAreLimitedAndToWaitForOneHasAnEnd() throws Exception {
		assertThatThereAreTwoConnections(this.twoConnections, "/service/x");
	}

	@Test
	void theLimitsHoldForANativeRouteWithAFeatureToo() throws Exception {
		assertThatThereAreTwoConnections(this.twoConnections, "/native/x");
	}

	@Test
	void theLimitsHoldForEveryRouteInScopeAllEvenIfNoFeatureIsOn() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of(),
				"gateway-bench.scope=all", "gateway-bench.strip-prefix.enabled=false",
				"gateway-bench.headers.enabled=false", "gateway-bench.body-rewrite.enabled=false",
				"gateway-bench.metrics.enabled=false", TWO_CONNECTIONS, SHORT_ACQUIRE_TIMEOUT)) {
			assertThatThereAreTwoConnections(running, "/service/x");
		}
	}

	private void assertThatThereAreTwoConnections(RunningGateway running, String target) throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		this.upstream.answer((out) -> {
			RawUpstream.await(answered);
			out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		});
		CompletableFuture<Message> first = get(running, target);
		CompletableFuture<Message> second = get(running, target);
		this.upstream.request();
		this.upstream.request();
		Problems.assertProblem(get(running, target).join(), 503, Problems.NO_CONNECTION);
		answered.countDown();
		assertThat(first.join().status()).isEqualTo(204);
		assertThat(second.join().status()).isEqualTo(204);
		assertThat(get(running, target).join().status()).isEqualTo(204);
		assertThat(this.upstream.acceptedConnections()).isEqualTo(2);
	}

	@Test
	void theResponseToARequestThatIsResetIsNeverThatOfTheNext() throws Exception {
		assumeThat(this.gateway.http2()).as("It is the same test over HTTP/2 in any case").isFalse();
		List<Map.Entry<String, String>> head = List.of(Map.entry(":method", "PUT"), Map.entry(":scheme", "http"),
				Map.entry(":authority", "gateway"), Map.entry(":path", "/service/x"), Map.entry("content-length", "0"));
		try (RunningGateway running = this.gateway.overHttp2().startWithRoute(List.of(this.upstream.url()))) {
			for (int i = 0; i < 10; i++) {
				CountDownLatch reset = new CountDownLatch(1);
				// Counted down by the upstream: the test sees the request before the
				// answer begins
				CountDownLatch first = new CountDownLatch(1);
				this.upstream.answer((out) -> {
					boolean late = first.getCount() == 1;
					if (late) {
						first.countDown();
						RawUpstream.await(reset);
						LockSupport.parkNanos(100_000_000);
					}
					String response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + (late ? "late" : "next");
					out.write(response.getBytes(StandardCharsets.US_ASCII));
				});
				try (Http2Connection client = new Http2Connection(running.ownPort())) {
					Http2Connection.Stream stream = client.open(head, false);
					this.upstream.request();
					RawUpstream.await(first);
					stream.reset(Http2Connection.CANCEL);
				}
				reset.countDown();
				assertThat(HttpExchange.get(running.port(), "/service/x").text()).isEqualTo("next");
				this.upstream.request();
			}
		}
	}

	private static CompletableFuture<Message> post(RunningGateway running) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return HttpExchange.send(running.port(),
						"POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start());
	}

	static CompletableFuture<Message> get(RunningGateway running) {
		return get(running, "/service/x");
	}

	private static CompletableFuture<Message> get(RunningGateway running, String target) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return HttpExchange.get(running.port(), target);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start());
	}

	static void awaitNoConnection(RawUpstream upstream) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(upstream.openConnections()).isZero());
	}

	static int threads() {
		return ManagementFactory.getThreadMXBean().getThreadCount();
	}

	/**
	 * A pool of threads may have grown a little, but not with the number of requests.
	 */
	static void awaitThreads(int before) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(threads()).isLessThan(before + 20));
	}

}
