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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is counted, and how long it took.
 */
@ExtendWith(OutputCaptureExtension.class)
class MetricsContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	MetricsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.upstream = new RawUpstream();
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.upstream.close();
	}

	@Test
	void requestsAttemptsAndRewritesAreMetered() throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()))) {
			HttpExchange.get(running.port(), "/service/x");
			HttpExchange.get(running.port(), "/service/x");
			this.upstream.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
			HttpExchange.get(running.port(), "/service/x");
			awaitTimer(running, "SUCCESS", "200", 2);
			awaitTimer(running, "CLIENT_ERROR", "404", 1);
			assertThat(registry(running).get("gateway.bench.rewrites").tag("outcome", "added").counter().count())
				.isEqualTo(2);
			Counter attempts = registry(running).get("gateway.bench.upstream.requests")
				.tags("upstream", "service", "outcome", "SUCCESS", "instance", this.upstream.url().substring(7))
				.counter();
			assertThat(attempts.count()).isEqualTo(2);
		}
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
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()));
				Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
			client.setSoTimeout(20_000);
			send(client);
			assertThat(client.getInputStream().readNBytes(100_000)).hasSize(100_000);
			assertThat(registry(running).find("gateway.bench.requests").timers()).isEmpty();
			headersRead.countDown();
			client.getInputStream().readAllBytes();
			awaitTimer(running, "SUCCESS", "200", 1);
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
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()))) {
			try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
				send(client);
				client.getInputStream().readNBytes(1000);
			}
			awaitTimer(running, "ABORTED", "200", 1);
		}
	}

	@Test
	void aRefusedConnectionIsAServerErrorAndAFailedAttempt() throws Exception {
		String url = this.upstream.url();
		try (RunningGateway running = this.gateway.startWithRoute(List.of(url))) {
			this.upstream.close();
			int status = HttpExchange.get(running.port(), "/service/x").status();
			assertThat(status).isGreaterThanOrEqualTo(500);
			awaitTimer(running, "SERVER_ERROR", String.valueOf(status), 1);
			assertThat(registry(running).get("gateway.bench.upstream.requests").counter().count()).isEqualTo(1);
		}
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
	void theFileHasOneRowPerIntervalWithTheTotals(@TempDir Path directory) throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=" + directory,
				"gateway-bench.metrics.csv.interval=100ms")) {
			for (int i = 0; i < 5; i++) {
				HttpExchange.get(running.port(), "/service/x");
			}
			Path file = onlyFile(directory);
			assertThat(file.getFileName().toString()).matches(
					"gateway-%s_metrics_.*\\.csv".formatted(this.gateway.flavour().label().toLowerCase(Locale.ROOT)));
			String header = Files.readAllLines(file).get(0);
			int total = List.of(header.split(",")).indexOf("TotalRequests");
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				List<String> lines = Files.readAllLines(file);
				assertThat(lines.get(lines.size() - 1).split(",")[total]).isEqualTo("5");
			});
		}
	}

	@Test
	void aBeanOfTheApplicationAddsAColumnToTheFile(@TempDir Path directory) throws Exception {
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=" + directory,
				"gateway-bench.metrics.csv.interval=100ms", "spring.main.sources=" + Cores.class.getName())) {
			Path file = onlyFile(directory);
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				List<String> lines = Files.readAllLines(file);
				assertThat(lines).hasSizeGreaterThan(1);
				assertThat(lines.get(0)).endsWith(",VtQueued,Cores");
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

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "text/plain" })
	void metricsOfTheApplicationThatFailBreakNoTraffic(String contentType, CapturedOutput output) throws Exception {
		this.upstream
			.answer("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
		try (RunningGateway running = this.gateway.startWithRoute(List.of(this.upstream.url()),
				"spring.main.sources=" + FailingMetrics.class.getName())) {
			for (int i = 0; i < 20; i++) {
				Message response = HttpExchange.get(running.port(), "/service/x");
				assertThat(response.status()).isEqualTo(200);
				assertThat(response.text()).startsWith("{\"a\":1");
			}
			// The next request may come before the connection of the last one is back
			assertThat(this.upstream.acceptedConnections()).isLessThan(10);
			assertThat(running.upstreamEvents("requests")).isEqualTo(20);
			assertThat(output).containsOnlyOnce(FailingMetrics.class.getName() + ".request()")
				.containsOnlyOnce(FailingMetrics.class.getName() + ".upstream()");
		}
	}

	private void awaitTimer(RunningGateway running, String outcome, String status, long count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			Timer timer = registry(running).find("gateway.bench.requests")
				.tags("route", "the-route", "outcome", outcome, "status", status, "flavour",
						this.gateway.flavour().label())
				.timer();
			assertThat(timer).isNotNull();
			assertThat(timer.count()).isEqualTo(count);
		});
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

	private static void send(Socket client) throws IOException {
		client.getOutputStream().write(HttpExchange.getRequest("/service/x").getBytes(StandardCharsets.US_ASCII));
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
