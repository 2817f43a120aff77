package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.metrics.CsvColumn;
import io.gatewaybench.metrics.GatewayMetrics;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(30)
class CsvMetricsTests {

	private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

	@TempDir
	Path directory;

	@Test
	void aRowIsAddedEveryInterval() {
		try (GatewayMetrics metrics = CsvMetrics.start(new CsvSettings(this.directory, Duration.ofMillis(5), List.of()),
				Flavour.WEBMVC)) {
			metrics.request("any", 200, true, 1000);
			Awaitility.await().untilAsserted(() -> assertThat(lines()).hasSizeGreaterThan(3));
		}
	}

	@Test
	void closingWritesALastRowAndEndsTheThread() throws IOException {
		GatewayMetrics metrics = CsvMetrics.start(new CsvSettings(this.directory, NEVER, List.of()), Flavour.WEBFLUX);
		assertThat(metricsThreads()).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
		metrics.request("any", 200, true, 1000);
		metrics.close();

		assertThat(metricsThreads()).isEmpty();
		assertThat(lines()).hasSize(2);
		assertThat(this.directory).isDirectoryContaining("regex:.*/gateway-webflux_metrics_\\d{8}-\\d{6}\\.csv");
	}

	@Test
	void closingAgainChangesNothing() throws IOException {
		GatewayMetrics metrics = CsvMetrics.start(new CsvSettings(this.directory, NEVER, List.of()), Flavour.WEBFLUX);
		metrics.close();
		metrics.close();
		metrics.request("any", 200, true, 1000);
		metrics.close();

		assertThat(lines()).hasSize(2);
	}

	@Test
	void aDiskThatHangsHoldsUpNeitherRequestsNorTheEnd(CapturedOutput output) {
		CountDownLatch hanging = new CountDownLatch(1);
		try {
			GatewayMetrics metrics = CsvMetrics.start(new CsvSettings(this.directory, NEVER, List.of()),
					Flavour.WEBFLUX, (path) -> {
						awaitQuietly(hanging);
						return CsvFile.Opener.DISK.createNew(path);
					});
			metrics.request("any", 200, true, 1000);
			metrics.close();

			assertThat(output).containsOnlyOnce("its last row may be missing");
		}
		finally {
			hanging.countDown();
		}
		Awaitility.await().untilAsserted(() -> assertThat(metricsThreads()).isEmpty());
	}

	@Test
	void anInterruptedCloseReturnsAndStaysInterrupted() throws IOException {
		GatewayMetrics metrics = CsvMetrics.start(new CsvSettings(this.directory, NEVER, List.of()), Flavour.WEBFLUX);
		Thread.currentThread().interrupt();
		metrics.close();

		assertThat(Thread.interrupted()).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(metricsThreads()).isEmpty());
		assertThat(lines()).hasSize(2);
	}

	@Test
	void anUnwritableDirectoryDoesNotStopTheStart(CapturedOutput output) throws IOException {
		Path obstacle = Files.createFile(this.directory.resolve("obstacle"));
		GatewayMetrics metrics = CsvMetrics
			.start(new CsvSettings(obstacle.resolve("data"), Duration.ofMillis(2), List.of()), Flavour.WEBFLUX);
		metrics.request("any", 200, true, 1000);
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("gateway-bench.metrics.csv.directory"));
		metrics.close();

		assertThat(output).containsOnlyOnce("gateway-bench.metrics.csv.directory");
	}

	@Test
	void anErrorCostsARowAndNotTheFile(CapturedOutput output) {
		AtomicInteger errors = new AtomicInteger(3);
		CsvColumn column = new CsvColumn("Odd", () -> {
			if (errors.getAndDecrement() > 0) {
				throw new OutOfMemoryError("By the test");
			}
			return 1;
		});
		try (GatewayMetrics metrics = CsvMetrics
			.start(new CsvSettings(this.directory, Duration.ofMillis(5), List.of(column)), Flavour.WEBMVC)) {
			Awaitility.await().untilAsserted(() -> assertThat(lines()).hasSizeGreaterThan(3));
			assertThat(output).containsOnlyOnce("A row of the metrics file failed. It goes on.");
		}
	}

	private List<String> lines() throws IOException {
		try (Stream<Path> files = Files.list(this.directory)) {
			Path file = files.findFirst().orElse(null);
			return (file != null) ? Files.readAllLines(file) : List.of();
		}
	}

	private static List<Thread> metricsThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(CsvMetrics.THREAD_NAME))
			.toList();
	}

	private static void awaitQuietly(CountDownLatch latch) throws IOException {
		try {
			if (!latch.await(20, TimeUnit.SECONDS)) {
				throw new IOException("The test has ended");
			}
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

}
