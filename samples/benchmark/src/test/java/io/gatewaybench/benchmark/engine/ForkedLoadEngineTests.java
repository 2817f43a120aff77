package io.gatewaybench.benchmark.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ForkedLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	@TempDir
	Path directory;

	@Test
	void aPlanRunsInAProcessOfItsOwnAndLeavesItsFiles() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			List<ProgressEvent> events = new ArrayList<>();
			LoadPlan plan = Plans.builder(Model.OPEN)
				.port(server.port())
				.stage("warm up", 200, 100)
				.stage("measure", 300, 100)
				.build();
			LoadResult result = engine().run(plan, events::add);
			assertThat(result.complete()).isTrue();
			assertThat(result.stage("warm up").total().counts()).isEqualTo(new Counts(20, 20, 0, 0, 0, 0, 0));
			assertThat(result.stage("measure").total().counts()).isEqualTo(new Counts(30, 30, 0, 0, 0, 0, 0));
			assertThat(events).extracting(ProgressEvent::stage)
				.containsExactly("warm up", "warm up", "measure", "measure");
			Path files = this.directory.resolve("test");
			assertThat(LoadFiles.readPlan(files.resolve("plan.json"))).isEqualTo(plan);
			assertThat(files.resolve("load.json.tmp")).doesNotExist();
			for (String view : List.of("service", "response", "slo")) {
				assertLog(files.resolve("data-" + view + ".hlog"));
			}
		}
	}

	private static void assertLog(Path file) throws IOException {
		HistogramLogReader reader = new HistogramLogReader(file.toFile());
		Histogram first = (Histogram) reader.nextIntervalHistogram();
		Histogram second = (Histogram) reader.nextIntervalHistogram();
		assertThat(reader.hasNext()).isFalse();
		assertThat(first.getTag()).isEqualTo("warm_up");
		assertThat(first.getTotalCount()).isEqualTo(20);
		assertThat(second.getTag()).isEqualTo("measure");
		assertThat(second.getTotalCount()).isEqualTo(30);
		reader.close();
	}

	@Test
	void anInterruptEndsTheProcessAndReturnsWhatWasMeasured() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			AtomicReference<LoadResult> result = new AtomicReference<>();
			AtomicReference<Boolean> interrupted = new AtomicReference<>();
			Thread runner = new Thread(() -> {
				try {
					result.set(engine().run(
							Plans.builder(Model.CLOSED).port(server.port()).stage("measure", 600_000).build(),
							(event) -> {
							}));
					interrupted.set(Thread.currentThread().isInterrupted());
				}
				catch (InterruptedException ex) {
					interrupted.set(false);
				}
			});
			runner.start();
			await().atMost(Duration.ofSeconds(30)).until(() -> server.requests() > 0);
			runner.interrupt();
			assertThat(runner.join(Duration.ofSeconds(30))).isTrue();
			assertThat(interrupted.get()).isTrue();
			assertThat(result.get().complete()).isFalse();
			assertThat(result.get().stage("measure").total().counts().ok()).isPositive();
			assertThat(result.get().stage("measure").balanced()).isTrue();
		}
	}

	@Test
	void warmUpThatIsNotNeededIsLeftOutByTheOtherProcessToo() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadPlan plan = Plans.builder(Model.CLOSED)
				.port(server.port())
				.warmup("cycle 1", 100)
				.idle("rest 1", 2_000)
				.warmup("cycle 2", 600_000)
				.runUp("run-up", 100)
				.stage("measure", 100)
				.build();
			LoadResult result = engine().run(plan, new WarmAfter("cycle 1"));
			assertThat(result.complete()).isTrue();
			assertThat(result.stages()).extracting(StageResult::stage)
				.containsExactly("cycle 1", "rest 1", "run-up", "measure");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aGeneratorWhoseParentIsGoneOrThatIsToldToEndWritesWhatItHas(boolean parentGone) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadFiles files = new LoadFiles(this.directory);
			files.writePlan(Plans.builder(Model.CLOSED).port(server.port()).stage("measure", 600_000).build());
			List<String> command = command();
			command.add(files.plan().toString());
			command.add(this.directory.toString());
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			try (BufferedReader events = process.inputReader()) {
				assertThat(events.readLine()).contains("stage-start");
				await().until(() -> server.requests() > 0);
				if (parentGone) {
					process.getOutputStream().close();
				}
				else {
					process.toHandle().destroy();
				}
				assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
				assertThat(files.readResult().complete()).isFalse();
				assertThat(files.readResult().stage("measure").balanced()).isTrue();
				assertThat(files.readResult().stage("measure").total().counts().intended()).isPositive();
			}
			finally {
				process.destroyForcibly();
			}
		}
	}

	@Test
	void aGeneratorThatDiesIsToldWithItsLastWords() {
		List<String> command = List.of(java(), "-cp", "nowhere", "NoSuchGenerator");
		assertThatExceptionOfType(LoadEngineException.class)
			.isThrownBy(() -> new ForkedLoadEngine(command, this.directory).run(Plans.builder(Model.CLOSED).build(),
					(event) -> {
					}))
			.withMessageContaining("exit code 1")
			.withMessageContaining(this.directory.resolve("test/generator.log").toString())
			.withMessageContaining("NoSuchGenerator");
	}

	@Test
	void aGeneratorThatCannotBeStartedIsTold() {
		assertThatExceptionOfType(LoadEngineException.class)
			.isThrownBy(() -> new ForkedLoadEngine(List.of("/no/such/java"), this.directory)
				.run(Plans.builder(Model.CLOSED).build(), (event) -> {
				}))
			.withMessageContaining("cannot be started by '/no/such/java'");
	}

	@Test
	void theResultOfAnEarlierRunIsNotTakenForThatOfAFailedOne() throws Exception {
		Files.createDirectories(this.directory.resolve("test"));
		Files.writeString(this.directory.resolve("test/load.json"), "{}");
		assertThatExceptionOfType(LoadEngineException.class)
			.isThrownBy(() -> new ForkedLoadEngine(List.of(java(), "-version"), this.directory)
				.run(Plans.builder(Model.CLOSED).build(), (event) -> {
				}))
			.withMessageContaining("left no result");
	}

	@Test
	void aFileThatIsNoPlanIsRefusedWithItsName() throws Exception {
		Path file = Files.writeString(this.directory.resolve("plan.json"), "{\"id\":5");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> LoadFiles.readPlan(file))
			.withMessageContaining(file + " is not a LoadPlan");
	}

	private ForkedLoadEngine engine() {
		return new ForkedLoadEngine(command(), this.directory);
	}

	private static List<String> command() {
		List<String> command = new ArrayList<>(List.of(java()));
		command.addAll(ForkedLoadEngine.JVM_FLAGS);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), GeneratorMain.class.getName()));
		return command;
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

}
