package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.gatewaybench.metrics.CsvColumn;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is counted, and how long it took.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	private ClosedPort closed;

	/**
	 * With a route for each test: none meets what another one has counted.
	 */
	private RunningGateway running;

	MetricsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.closed = new ClosedPort();
		List<String> all = Gateway.route(0, "all", "all", List.of(this.upstream.url()));
		all.addAll(Gateway.route(1, "timed", "timed", List.of(this.upstream.url())));
		all.addAll(Gateway.route(2, "aborted", "aborted", List.of(this.upstream.url())));
		all.addAll(Gateway.route(3, "closed", "closed", List.of(this.closed.url())));
		this.running = this.gateway.start(all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
		this.closed.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
	}

	@Test
	void requestsAttemptsAndRewritesAreMetered() throws Exception {
		double rewrites = rewrites();
		HttpExchange.get(this.running.port(), "/all/x");
		HttpExchange.get(this.running.port(), "/all/x");
		this.upstream.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
		HttpExchange.get(this.running.port(), "/all/x");
		awaitTimer("all", "SUCCESS", "200", 2);
		awaitTimer("all", "CLIENT_ERROR", "404", 1);
		assertThat(rewrites()).isEqualTo(rewrites + 2);
		Counter attempts = registry(this.running).get("gateway.bench.upstream.requests")
			.tags("upstream", "all", "outcome", "SUCCESS", "instance", this.upstream.url().substring(7))
			.counter();
		assertThat(attempts.count()).isEqualTo(2);
	}

	@Test
	void theTimeOfTheBodyIsPartOfTheRequest() throws Exception {
		CountDownLatch headersRead = new CountDownLatch(1);
		this.upstream.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200001\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
			out.write("x".repeat(200_000).getBytes(StandardCharsets.US_ASCII));
			out.flush();
			RawUpstream.await(headersRead);
			out.write('x');
		});
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			client.setSoTimeout(20_000);
			send(client, "/timed/x");
			assertThat(client.getInputStream().readNBytes(100_000)).hasSize(100_000);
			assertThat(registry(this.running).find("gateway.bench.requests").tag("route", "timed").timers()).isEmpty();
			headersRead.countDown();
			client.getInputStream().readAllBytes();
			awaitTimer("timed", "SUCCESS", "200", 1);
		}
	}

	@Test
	void aClientThatLeavesMidBodyIsCountedAsAborted() throws Exception {
		this.upstream.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000000\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
			byte[] part = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
			for (int i = 0; i < 1000; i++) {
				out.write(part);
			}
		});
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			send(client, "/aborted/x");
			client.getInputStream().readNBytes(1000);
		}
		awaitTimer("aborted", "ABORTED", "200", 1);
	}

	@Test
	void aRefusedConnectionIsAServerErrorAndAFailedAttempt() throws Exception {
		int status = HttpExchange.get(this.running.port(), "/closed/x").status();
		assertThat(status).isGreaterThanOrEqualTo(500);
		awaitTimer("closed", "SERVER_ERROR", String.valueOf(status), 1);
		assertThat(registry(this.running).find("gateway.bench.upstream.requests").tag("upstream", "closed").counters())
			.extracting(Counter::count)
			.containsExactly(1.0);
	}

	@Test
	void otherRoutesAreNotCounted() throws Exception {
		try (RunningGateway running = this.gateway.startWithNativeRoute(this.upstream.url(), List.of())) {
			HttpExchange.get(running.port(), "/service/x");
			HttpExchange.get(running.port(), "/elsewhere");
			assertThat(registry(running).find("gateway.bench.requests").timers()).isEmpty();
		}
	}

	@Test
	void theFileHasOneRowPerIntervalWithTheTotalsAndWhatABeanOfTheApplicationAdds(@TempDir Path directory)
			throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=" + directory,
				"gateway-bench.metrics.csv.interval=100ms", "spring.main.sources=" + Cores.class.getName())) {
			for (int i = 0; i < 5; i++) {
				HttpExchange.get(running.port(), "/service/x");
			}
			Path file = onlyFile(directory);
			assertThat(file.getFileName().toString()).matches(
					"gateway-%s_metrics_.*\\.csv".formatted(this.gateway.flavour().label().toLowerCase(Locale.ROOT)));
			String header = Files.readAllLines(file).get(0);
			assertThat(header).endsWith(",VtQueued,Cores");
			int total = List.of(header.split(",")).indexOf("TotalRequests");
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				List<String> lines = Files.readAllLines(file);
				assertThat(lines.get(lines.size() - 1).split(",")[total]).isEqualTo("5");
				assertThat(lines.get(1)).endsWith(",8");
			});
		}
	}

	@Test
	void metricsCanBeSwitchedOff() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.metrics.enabled=false")) {
			HttpExchange.get(running.port(), "/service/x");
			assertThat(registry(running).getMeters())
				.noneMatch((meter) -> meter.getId().getName().startsWith("gateway.bench"));
		}
	}

	@Test
	void metricsOfTheApplicationThatFailBreakNoTraffic(CapturedOutput output) throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"spring.main.sources=" + FailingMetrics.class.getName())) {
			for (String contentType : List.of("application/json", "text/plain")) {
				this.upstream.answer(
						"HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
				for (int i = 0; i < 20; i++) {
					Message response = HttpExchange.get(running.port(), "/service/x");
					assertThat(response.status()).isEqualTo(200);
					assertThat(response.text()).startsWith("{\"a\":1");
				}
			}
			// The next request may come before the connection of the last one is back
			assertThat(this.upstream.acceptedConnections()).isLessThan(10);
			assertThat(running.upstreamEvents("requests")).isEqualTo(40);
			assertThat(output).containsOnlyOnce(FailingMetrics.class.getName() + ".request()")
				.containsOnlyOnce(FailingMetrics.class.getName() + ".upstream()");
		}
	}

	private void awaitTimer(String route, String outcome, String status, long count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			Timer timer = registry(this.running).find("gateway.bench.requests")
				.tags("route", route, "outcome", outcome, "status", status, "flavour", this.gateway.flavour().label())
				.timer();
			assertThat(timer).isNotNull();
			assertThat(timer.count()).isEqualTo(count);
		});
	}

	private double rewrites() {
		return registry(this.running).find("gateway.bench.rewrites")
			.tag("outcome", "added")
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	private static MeterRegistry registry(RunningGateway running) {
		return running.context().getBean(MeterRegistry.class);
	}

	private static Path onlyFile(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			List<Path> all = files.toList();
			assertThat(all).hasSize(1);
			return all.get(0);
		}
	}

	private static void send(Socket client, String target) throws IOException {
		client.getOutputStream().write(HttpExchange.getRequest(target).getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	@Configuration(proxyBeanMethods = false)
	static class Cores {

		@Bean
		CsvColumn cores() {
			return new CsvColumn("Cores", () -> 8);
		}

	}

	/**
	 * A bean that an application might have.
	 */
	static final class FailingMetrics implements GatewayMetrics {

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
			throw new IllegalStateException("request");
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
			throw new IllegalStateException("upstream");
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
			throw new IllegalStateException("upstream");
		}

		@Override
		public void rewrite(String outcome) {
			throw new IllegalStateException("rewrite");
		}

		@Override
		public void close() {
		}

	}

}
