package io.gatewaybench.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.benchmark.Bench;
import io.gatewaybench.benchmark.failure.BenchFailure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("forked generators")
class ForkedLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	@TempDir
	Path directory;

	@Test
	void aPlanRunsInAProcessOfItsOwnAndLeavesItsFiles() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Plans plans = Plans.builder(Model.OPEN)
				.port(server.port())
				.stage("warm up", 200, 100)
				.stage("measure", 1_300, 100);
			Map<String, StageResult> results = plans.send(engine());
			assertThat(results.get("warm up").total().counts()).isEqualTo(new Counts(20, 20, 0, 0, 0, 0, 0, 0));
			assertThat(results.get("measure").total().counts()).isEqualTo(new Counts(130, 130, 0, 0, 0, 0, 0, 0));
			assertThat(server.connections()).isEqualTo(plans.build().workload().connections());
			Path files = this.directory.resolve("test");
			assertThat(LoadFiles.read(files.resolve("plan.json"), LoadPlan.class)).isEqualTo(plans.build());
			LoadResult written = new LoadFiles(files).readResult();
			assertThat(written.stages()).isEqualTo(List.copyOf(results.values()));
			assertThat(files.resolve("load.json.tmp")).doesNotExist();
		}
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no signal stops a process there")
	void aGeneratorThatStandsStillIsLateAndSaysSo() throws Exception {
		AtomicReference<Long> generator = new AtomicReference<>();
		try (StubServer server = new StubServer((exchange) -> {
			if (exchange.number() == 10) {
				signal("STOP", generator.get());
				TimeUnit.MILLISECONDS.sleep(1_200);
				signal("CONT", generator.get());
			}
			exchange.send(OK);
		}); LoadSession session = engine().open(Plans.builder(Model.OPEN).port(server.port()).build())) {
			generator.set(session.pid());
			StageResult result = session
				.run(new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3), 100, Arrivals.CONSTANT));
			List<SecondSample> series = result.series();
			assertThat(series.stream().mapToLong(SecondSample::sent).sum()).isEqualTo(300);
			double greatest = series.stream()
				.map(SecondSample::lagMs)
				.filter(Objects::nonNull)
				.mapToDouble(Double::doubleValue)
				.max()
				.orElseThrow();
			assertThat(greatest).isGreaterThan(1_000);
			assertThat(result.generator().lag().summary().maxMs()).isCloseTo(greatest, withinPercentage(0.2));
			// It sends nothing for longer than a second, and then all of it
			assertThat(series).anySatisfy((second) -> assertThat(second.sent()).isLessThan(second.offered()))
				.anySatisfy((second) -> assertThat(second.sent()).isGreaterThan(second.offered()));
		}
	}

	private static void signal(String name, long pid) throws IOException, InterruptedException {
		assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor()).isZero();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aGeneratorWithoutAFileLeftForAConnectionFailsAndBlamesNotTheTarget() throws Exception {
		List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 150; exec \"$@\"", "sh"));
		command.addAll(command());
		try (StubServer server = StubServer.answering(OK)) {
			assertThatExceptionOfType(BenchFailure.class)
				.isThrownBy(() -> Plans.builder(Model.CLOSED)
					.port(server.port())
					.connections(150)
					.stage(Plans.on(2, closed("few", 200)))
					.stage("measure", 500)
					.send(new ForkedLoadEngine(command, this.directory)))
				.withMessageContaining("no file or port left for a connection (")
				.withMessageContaining("ulimit -n");
		}
	}

	@Test
	void anInterruptEndsTheStageAndReturnsWhatWasMeasured() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			AtomicReference<StageResult> result = new AtomicReference<>();
			AtomicReference<Boolean> interrupted = new AtomicReference<>();
			AtomicReference<Throwable> next = new AtomicReference<>();
			AtomicReference<Boolean> stillInterrupted = new AtomicReference<>();
			AtomicInteger requests = new AtomicInteger(1_000_000);
			Thread runner = new Thread(() -> {
				try (LoadSession session = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
					session.run(closed("before", 200));
					requests.set(server.requests());
					result.set(session.run(closed("measure", 600_000)));
					interrupted.set(Thread.currentThread().isInterrupted());
					next.set(catchThrowable(() -> session.run(closed("next", 100))));
				}
				catch (InterruptedException ex) {
					interrupted.set(false);
				}
				stillInterrupted.set(Thread.currentThread().isInterrupted());
			});
			runner.start();
			Path files = this.directory.resolve("test");
			await().atMost(Duration.ofSeconds(60)).until(() -> server.requests() > requests.get() + 100);
			runner.interrupt();
			assertThat(runner.join(Duration.ofSeconds(30))).isTrue();
			assertThat(interrupted.get()).isTrue();
			assertThat(stillInterrupted.get()).isTrue();
			assertThat(next.get()).isInstanceOf(BenchFailure.class).hasMessageContaining("no further stage");
			assertThat(result.get().complete()).isFalse();
			assertThat(result.get().total().counts().ok()).isPositive();
			assertThat(result.get().balanced()).isTrue();
			LoadResult written = new LoadFiles(files).readResult();
			assertThat(written.stages()).extracting(StageResult::stage).containsExactly("before", "measure");
			assertThat(written.stages().getLast()).isEqualTo(result.get());
			assertThat(generators()).isEmpty();
		}
	}

	@Test
	void anInterruptBetweenTwoStagesLeavesFiles() throws Exception {
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
			session.run(closed("measure", 200));
			Thread.currentThread().interrupt();
			session.close();
			assertThat(Thread.interrupted()).isTrue();
			LoadResult written = new LoadFiles(this.directory.resolve("test")).readResult();
			assertThat(written.stages()).extracting(StageResult::complete).containsExactly(true);
			assertThat(generators()).isEmpty();
		}
	}

	@Test
	void aStageThatDoesNotFitTheWorkloadIsRefusedAndTheSessionGoesOn() throws Exception {
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> session.run(Plans.on(50, closed("many", 100))));
			assertThat(session.run(Plans.on(1, closed("few", 100))).complete()).isTrue();
		}
	}

	@Test
	void aGeneratorThatIsKilledInAStageOrBetweenTwoIsTold() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession inStage = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build());
			whenItSends(server, () -> kill(inStage));
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> inStage.run(closed("measure", 600_000)))
				.withMessageContaining("exit code 137")
				.withMessageContaining("generator.log");
			inStage.close();
			LoadSession between = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build());
			between.run(closed("measure", 100));
			kill(between);
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> between.run(closed("measure", 100)))
				.withMessageContaining("exit code 137");
			between.close();
			assertThat(generators()).isEmpty();
		}
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no signal stops a process there")
	void aGeneratorThatHangsInAStageIsToldAndEnded() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession session = new ForkedLoadEngine(command(), this.directory, Duration.ofSeconds(20))
				.open(Plans.builder(Model.CLOSED).port(server.port()).timeout(1_000).build());
			whenItSends(server, () -> stop(session));
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(closed("measure", 600_000)))
				// The timeouts for a connection and a response, and the patience
				.withMessageContaining("stands still: it said nothing for 23 s")
				.withMessageContaining("generator.log");
			session.close();
			assertThat(generators()).isEmpty();
		}
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no sleep")
	void aGeneratorThatIsNeverReadyIsToldAndEnded() {
		ForkedLoadEngine engine = new ForkedLoadEngine(List.of("sh", "-c", "exec sleep 600", "sh"), this.directory,
				Duration.ofSeconds(1));
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> engine.open(Plans.builder(Model.CLOSED).build()))
			.withMessageContaining("stands still: it said nothing for 1 s");
		await().until(() -> generators().isEmpty());
	}

	private static void whenItSends(StubServer server, Runnable action) {
		Thread.startVirtualThread(() -> {
			await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 0);
			action.run();
		});
	}

	private static void stop(LoadSession session) {
		try {
			signal("STOP", session.pid());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void kill(LoadSession session) {
		ProcessHandle.of(session.pid()).ifPresent(ProcessHandle::destroyForcibly);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aGeneratorWhoseParentIsGoneOrThatIsToldToEndAnswersWithWhatItHas(boolean parentGone) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Process process = generator(server);
			try (BufferedReader answers = process.inputReader()) {
				assertThat(answers.readLine()).contains("\"pid\"");
				process.getOutputStream()
					.write((LoadFiles.line(closed("measure", 600_000)) + "\n").getBytes(StandardCharsets.UTF_8));
				process.getOutputStream().flush();
				await().until(() -> server.requests() > 0);
				if (parentGone) {
					process.getOutputStream().close();
				}
				else {
					process.toHandle().destroy();
				}
				assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
				String last = answers.lines().reduce((earlier, later) -> later).orElseThrow();
				StageResult measured = LoadFiles.parse(last, GeneratorLine.class).result();
				assertThat(measured.complete()).isFalse();
				assertThat(measured.balanced()).isTrue();
				assertThat(measured.total().counts().intended()).isPositive();
			}
			finally {
				process.destroyForcibly();
			}
		}
	}

	@Test
	void aGeneratorWhoseParentIsGoneBeforeTheFirstStageEnds() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Process process = generator(server);
			process.getOutputStream().close();
			assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).isZero();
			assertThat(server.requests()).isZero();
		}
	}

	private Process generator(StubServer server) throws IOException {
		LoadFiles files = new LoadFiles(this.directory);
		files.writePlan(Plans.builder(Model.CLOSED).port(server.port()).build());
		List<String> command = command();
		command.add(files.plan().toString());
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
	}

	private List<String> generators() {
		return ProcessHandle.current()
			.descendants()
			.map((process) -> process.info().commandLine().orElse(""))
			.filter((command) -> command.contains(this.directory.toString()))
			.toList();
	}

	@Test
	void aGeneratorThatDiesIsToldWithItsLastWords() {
		List<String> command = List.of(java(), "-cp", "nowhere", "NoSuchGenerator");
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> new ForkedLoadEngine(command, this.directory).open(Plans.builder(Model.CLOSED).build()))
			.withMessageContaining("exit code 1")
			.withMessageContaining(this.directory.resolve("test/generator.log").toString())
			.withMessageContaining("NoSuchGenerator");
	}

	@Test
	void aGeneratorThatCannotBeStartedIsTold() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> new ForkedLoadEngine(List.of("/no/such/java"), this.directory)
				.open(Plans.builder(Model.CLOSED).build()))
			.withMessageContaining("cannot be started by '/no/such/java'");
	}

	@Test
	void aFileThatIsNoPlanIsRefusedWithItsName() throws Exception {
		Path file = Files.writeString(this.directory.resolve("plan.json"), "{\"id\":5");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> LoadFiles.read(file, LoadPlan.class))
			.withMessageContaining(file + " is not a LoadPlan");
	}

	private static Stage closed(String name, long millis) {
		return Stage.closed(name, Stage.Kind.MEASURE, Duration.ofMillis(millis));
	}

	private ForkedLoadEngine engine() {
		return new ForkedLoadEngine(command(), this.directory);
	}

	private static List<String> command() {
		List<String> command = new ArrayList<>(List.of(java()));
		command.addAll(ForkedLoadEngine.JVM_FLAGS);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName(), "generate"));
		return command;
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

}
