package io.gatewaybench.benchmark.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.StackSamples.Node;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class StackSamplesTests {

	private static final String BUSY = StackSamplesTests.class.getName() + ".busy";

	private static final int ENOUGH = 20;

	private static volatile boolean over;

	private static volatile double sink;

	@TempDir
	private Path directory;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aBusyMethodIsAtTheTopAndUnderItsThreads(boolean virtual) throws Exception {
		StackSamples samples = StackTree.read(record(virtual));
		Node busiest = samples.nodes().stream().max(Comparator.comparingLong(Node::self)).orElseThrow();
		assertThat(samples.frames().get(busiest.frame())).isEqualTo(BUSY);
		assertThat(busiest.self()).isBetween(1L, busiest.total());
		// Other tests of this JVM may have busier threads of another group
		assertThat(samples.nodes().subList(0, samples.nodes().indexOf(busiest))).filteredOn((node) -> node.depth() == 0)
			.last()
			.satisfies((group) -> assertThat(samples.frames().get(group.frame()))
				.isEqualTo(virtual ? "CARRIER" : "EVENT_LOOP"));
		assertThat(samples.nodes()).filteredOn((node) -> samples.frames().get(node.frame()).equals(BUSY))
			.isNotEmpty()
			.allSatisfy((node) -> assertThat(node.depth()).isPositive());
		// Other threads of this JVM may have deep stacks
		assertThat(samples.cut()).isLessThan(samples.samples());
	}

	@Test
	void aRecordingWithoutSamplesSaysWhatToDo() throws Exception {
		Path file = this.directory.resolve("idle.jfr");
		try (Recording recording = new Recording()) {
			recording.start();
			recording.dump(file);
		}
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> StackTree.read(file))
			.withMessageContaining(file + " has no sample of a thread")
			.withMessageContaining("choose a load with more requests");
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.0001, 0.3, 0.6, 0.99 })
	void aRecordingThatIsNotWholeIsNamed(double part) throws Exception {
		byte[] whole = Files.readAllBytes(record(false));
		Path file = Files.write(this.directory.resolve("part.jfr"), Arrays.copyOf(whole, (int) (part * whole.length)));
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> StackTree.read(file))
			.withMessageStartingWith(file + " is no recording of Flight Recorder, or not all of it: ");
	}

	@Test
	void whatIsNoRecordingIsNamed() throws Exception {
		Path file = Files.writeString(this.directory.resolve("other.jfr"), "no recording".repeat(1000));
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> StackTree.read(file))
			.withMessageStartingWith(file + " is no recording of Flight Recorder");
	}

	private Path record(boolean virtual) throws Exception {
		Path file = this.directory.resolve("busy.jfr");
		over = false;
		Thread thread = virtual ? Thread.ofVirtual().start(StackSamplesTests::work)
				: Thread.ofPlatform().name("reactor-http-epoll-1").start(StackSamplesTests::work);
		try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
			recording.start();
			await().ignoreExceptions().atMost(Duration.ofMinutes(1)).until(() -> {
				recording.dump(file);
				StackSamples samples = StackTree.read(file);
				return samples.nodes()
					.stream()
					.anyMatch((node) -> samples.frames().get(node.frame()).equals(BUSY) && node.self() > ENOUGH);
			});
		}
		finally {
			over = true;
			thread.join();
		}
		return file;
	}

	private static void work() {
		while (!over) {
			busy();
		}
	}

	private static void busy() {
		double sum = 0;
		for (int i = 1; i < 1_000_000; i++) {
			sum += 1.0 / i;
		}
		sink = sum;
	}

}
