package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of requests and connections when the gateway stops.
 */
class StopContract {

	private static final String EVENT = "data: x\n\n";

	private final Gateway gateway;

	private final CountDownLatch end = new CountDownLatch(1);

	private RawUpstream upstream;

	StopContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void start() throws IOException {
		this.upstream = new RawUpstream();
	}

	@AfterEach
	void stop() throws IOException {
		this.end.countDown();
		this.upstream.close();
	}

	/**
	 * However long the gateway would wait for the upstream.
	 */
	@ParameterizedTest
	@CsvSource({ "graceful, 60s", "graceful, 0", "immediate, 60s" })
	void aStreamThatTheGatewayEndsAsItStopsIsCounted(String shutdown, String read, @TempDir Path directory)
			throws Exception {
		RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				Gateway.QUIET_PERIOD + "100ms", "server.shutdown=" + shutdown,
				"spring.lifecycle.timeout-per-shutdown-phase=300ms", "gateway-bench.timeouts.read=" + read,
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=" + directory);
		try (running; Socket client = connect(running)) {
			openStream(client);
			running.close();
		}
		assertThat(cell(directory, "TotalRequests")).isEqualTo("1");
		assertThat(cell(directory, "ErrorCount")).isEqualTo("1");
	}

	@Test
	void aRequestThatIsNotAnsweredAsTheGatewayStopsIsCounted(@TempDir Path directory) throws Exception {
		this.upstream.answer((out) -> RawUpstream.await(this.end));
		RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				Gateway.QUIET_PERIOD + "100ms", "spring.lifecycle.timeout-per-shutdown-phase=300ms",
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=" + directory);
		try (running; Socket client = connect(running)) {
			send(client);
			this.upstream.request();
			running.close();
		}
		assertThat(cell(directory, "TotalRequests")).isEqualTo("1");
		assertThat(cell(directory, "SuccessCount")).isEqualTo("0");
	}

	/**
	 * What its client sends next gets no answer, so it has to go to another gateway.
	 */
	@Test
	void aConnectionWithoutARequestIsClosedWhileOthersStillHaveTime() throws Exception {
		RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"spring.lifecycle.timeout-per-shutdown-phase=60s");
		try (running; Socket idle = connect(running); Socket streaming = connect(running)) {
			send(idle);
			assertThat(Message.read(idle.getInputStream(), false, () -> {
			}).status()).isEqualTo(204);
			openStream(streaming);
			CompletableFuture<Void> closing = CompletableFuture.runAsync(running.context()::close,
					(task) -> new Thread(task).start());
			assertThat(idle.getInputStream().read()).isNegative();
			assertThat(closing).isNotDone();
			this.end.countDown();
			assertThat(new String(streaming.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)).contains(EVENT)
				.endsWith("0\r\n\r\n");
			closing.join();
		}
	}

	@Test
	void healthChecksLeaveNoThread() {
		Set<String> before = threadsOfHealthChecks();
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.load-balancing.health-check.enabled=true")) {
			assertThat(threadsOfHealthChecks()).contains("gateway-bench-health-checks");
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(before).containsAll(threadsOfHealthChecks()));
	}

	private static Set<String> threadsOfHealthChecks() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("HttpClient-") || name.startsWith("gateway-bench-health"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * The last event comes when the test has ended.
	 */
	private void openStream(Socket client) throws Exception {
		this.upstream.answer((out) -> {
			String chunk = "%x\r\n%s\r\n".formatted(EVENT.length(), EVENT);
			out.write(
					("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
						.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(this.end);
			out.write((chunk + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		});
		send(client);
		StringBuilder begun = new StringBuilder();
		InputStream in = client.getInputStream();
		while (begun.indexOf(EVENT) < 0) {
			int next = in.read();
			assertThat(next).as("after '%s'", begun).isNotNegative();
			begun.append((char) next);
		}
	}

	private static Socket connect(RunningGateway running) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port());
		client.setSoTimeout(20_000);
		return client;
	}

	private static void send(Socket client) throws IOException {
		client.getOutputStream()
			.write("GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * What the last row of the only file says.
	 */
	private static String cell(Path directory, String column) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			List<String> lines = Files.readAllLines(files.findFirst().orElseThrow());
			int index = List.of(lines.get(0).split(",")).indexOf(column);
			return lines.get(lines.size() - 1).split(",")[index];
		}
	}

}
