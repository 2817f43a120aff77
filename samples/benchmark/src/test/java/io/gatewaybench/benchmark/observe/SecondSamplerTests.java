package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class SecondSamplerTests {

	private Process process;

	private SecondSampler sampler;

	@BeforeEach
	void startAProcess() throws Exception {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-Xmx64m", "-cp", System.getProperty("java.class.path"), Busy.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(this.process.getInputStream().read()).isEqualTo('x');
		this.sampler = new SecondSampler(List.of(this.process.pid()));
	}

	@AfterEach
	void nothingIsLeftOpen() throws Exception {
		this.sampler.close();
		assertThat(threads()).isEmpty();
		assertThat(openFiles()).isEmpty();
		this.process.destroyForcibly();
		this.process.waitFor();
	}

	/**
	 * Opens three sockets and keeps one thread busy that looks like one of Tomcat.
	 */
	static final class Busy {

		static volatile long count;

		public static void main(String[] args) throws Exception {
			List<ServerSocket> sockets = new ArrayList<>();
			for (int socket = 0; socket < 3; socket++) {
				sockets.add(new ServerSocket(0));
			}
			System.gc();
			Thread.ofPlatform().daemon().name("http-nio-busy").start(() -> {
				// The kernel knows the name only once the thread itself runs
				System.out.print('x');
				System.out.flush();
				while (true) {
					count++;
				}
			});
			System.in.read();
			sockets.forEach((socket) -> assertThat(socket.isClosed()).isFalse());
		}

	}

	@Test
	void aThreadThatIsBusyTakesACoreInItsGroup() {
		this.sampler.start();
		assertThat(this.sampler.cores()).isNull();
		Awaitility.await().until(() -> this.sampler.cores() != null);
		// It may have to share the core with other tests
		assertThat(this.sampler.cores()).isBetween(0.1, 1.5);
		ResourceSeries series = this.sampler.stop();
		assertThat(this.sampler.cores()).isNull();
		assertThat(series.seconds()).startsWith(0);
		assertThat(series.cores().get(ThreadGroup.TOMCAT).getFirst()).isBetween(0.1, 1.2);
		assertThat(series.cores().values().stream().mapToDouble(List::getFirst).sum())
			.isLessThan(1.5 * series.cores().get(ThreadGroup.TOMCAT).getFirst() + 0.2);
		ProcessSnapshot whole = ProcessSnapshot.take(this.process.pid());
		assertThat(series.sockets().getFirst()).isEqualTo(whole.sockets()).isGreaterThanOrEqualTo(3);
		assertThat(series.threads().getFirst()).isBetween(10, 40);
		assertThat(series.residentBytes().getFirst()).isBetween(10L << 20, 200L << 20);
		assertThat(series.heapUsedBytes().getFirst()).isBetween(1L << 18, 64L << 20);
		assertThat(series.collectionMillis().getFirst()).isNotNegative();
		assertThat(List.of(series.threads(), series.sockets(), series.residentBytes(), series.heapUsedBytes(),
				series.collectionMillis()))
			.allSatisfy((column) -> assertThat(column).hasSameSizeAs(series.seconds()));
	}

	@Test
	void whereNobodyTellsThereIsNothing() {
		List<SecondSnapshot.Interval> unknown = List
			.of(new SecondSnapshot.Interval(1_000_000_000, Map.of(), null, null, null, null, null, null));
		assertThat(ResourceSeries.of(unknown, 0)).isEqualTo(new ResourceSeries(List.of(0), Map.of(), List.of(),
				List.of(), List.of(), List.of(), List.of(), List.of()));
	}

	@Test
	void whatHasNoProcessHereHasNoCores() {
		try (SecondSampler machine = new SecondSampler(List.of())) {
			machine.start();
			assertThat(threads()).hasSize(1);
			assertThat(machine.cores()).isNull();
		}
	}

	@Test
	void aProcessThatEndsEndsItsSeriesAndNotTheRun() throws Exception {
		this.sampler.start();
		Awaitility.await().until(() -> this.sampler.cores() != null);
		this.process.destroyForcibly().waitFor();
		Awaitility.await().until(() -> this.sampler.cores() == null);
		ResourceSeries series = this.sampler.stop();
		assertThat(series.threads()).isNotEmpty().hasSizeLessThan(series.seconds().size());
		assertThat(series.heapUsedBytes()).hasSameSizeAs(series.threads());
		assertThat(series.pressure()).satisfiesAnyOf((column) -> assertThat(column).isEmpty(),
				(column) -> assertThat(column).hasSameSizeAs(series.seconds()));
	}

	@Test
	void aMeasurementThatIsNotOneSecondLongHasNoSeries() {
		this.sampler.start();
		assertThat(this.sampler.stop()).isNull();
	}

	@Test
	void aThreadThatIsInterruptedStillReleasesEverything() {
		this.sampler.start();
		Thread.currentThread().interrupt();
		this.sampler.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(threads()).isEmpty();
		assertThat(openFiles()).isEmpty();
	}

	@Test
	void aSecondStartEndsTheFirstAndStoppingTwiceIsHarmless() {
		this.sampler.start();
		assertThat(openFiles()).isNotEmpty();
		this.sampler.start();
		assertThat(threads()).hasSize(1);
		this.sampler.stop();
		assertThat(this.sampler.stop()).isNull();
		this.sampler.over(1);
	}

	@Test
	void secondsAreThoseOfTheGeneratorWhateverWasBefore() {
		List<SecondSnapshot.Interval> intervals = List.of(pressure(1.0, 0.1), pressure(2.0, 0.2), pressure(3.45, 0.3),
				pressure(4.4, 0.4), pressure(6.9, 0.5), pressure(7.4, 0.6), pressure(8.41, 0.71234));
		ResourceSeries series = ResourceSeries.of(intervals, 2_400_000_000L);
		// The connections were being opened until 2.4. At 7.4 the fifth second was over,
		// as
		// at 6.9
		assertThat(series.seconds()).containsExactly(0, 1, 4, 5);
		assertThat(series.pressure()).containsExactly(0.3, 0.4, 0.5, 0.712);
	}

	@Test
	void threadsThatEndedHaveWhatNoOtherThreadHad() {
		ProcessWatch.Snapshot first = new ProcessWatch.Snapshot(10,
				Map.of("1", time(ThreadGroup.TOMCAT, 4), "2", time(ThreadGroup.JIT, 5)), 0, 0);
		ProcessWatch.Snapshot second = new ProcessWatch.Snapshot(12,
				Map.of("1", time(ThreadGroup.TOMCAT, 4.5), "3", time(ThreadGroup.TOMCAT, 0.5)), 0, 0);
		assertThat(second.cpuSince(first)).isEqualTo(Map.of(ThreadGroup.TOMCAT, 1.0, ThreadGroup.ENDED, 1.0));
		// The time of a process is known to 10 ms only
		assertThat(new ProcessWatch.Snapshot(12.01, second.threads(), 0, 0).cpuSince(second))
			.containsEntry(ThreadGroup.ENDED, 0.0);
	}

	private static ProcessWatch.ThreadTime time(ThreadGroup group, double seconds) {
		return new ProcessWatch.ThreadTime(group, seconds);
	}

	private static SecondSnapshot.Interval pressure(double end, double pressure) {
		return new SecondSnapshot.Interval(Math.round(end * 1e9), Map.of(), null, null, null, null, null, pressure);
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.equals("second-sampler"))
			.toList();
	}

	/**
	 * What this process has open of the other one.
	 */
	private List<String> openFiles() {
		try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
			return files.map(SecondSamplerTests::target)
				.filter((target) -> target.startsWith("/proc/" + this.process.pid() + "/")
						|| target.matches("/tmp/hsperfdata_.*/" + this.process.pid()))
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String target(Path link) {
		try {
			return Files.readSymbolicLink(link).toString();
		}
		catch (IOException ex) {
			// Closed between the two looks
			return "";
		}
	}

}
