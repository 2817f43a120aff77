package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.topology.Heap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
import static org.assertj.core.api.Assertions.tuple;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class RunnerFailuresTests {

	private final StubEngine engine = new StubEngine();

	private RunnerFixture runner;

	@BeforeEach
	void install(@TempDir Path directory) throws IOException {
		this.runner = new RunnerFixture(directory);
	}

	@AfterEach
	void noChildAndNoSamplerIsLeft() {
		this.runner.assertNothingIsLeft();
	}

	@Test
	void aGatewayThatDoesNotStartIsExplainedWithItsLog() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("port-in-use", "webflux-c16")))
			.withMessage("The gateway WebFlux did not start: it ended with exit code 1: Web server failed to start. "
					+ "Port 8080 was already in use.; see " + this.runner.out().resolve("logs/webflux-1.log"));
		assertThat(ResultsFile.read(this.runner.out()).status()).isEqualTo(Status.FAILED);
	}

	@Test
	void aGatewayThatIsNotHealthyInTimeIsExplainedWithItsLog() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine,
					this.runner.request(RunnerFixture.scenarios("unhealthy", "webflux-c16"), 1, 1, Duration.ZERO,
							Duration.ofSeconds(3))))
			.withMessageContaining("The gateway WebFlux is not ready in time: /actuator/health answers 503")
			.withMessageContaining("see " + this.runner.out().resolve("logs/webflux-1.log"));
	}

	@Test
	void aGatewayThatAnswersWronglyIsNotMeasured() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("wrong-type", "webflux-c16")))
			.withMessageContaining("GET /service-a/api/heavy: the _gateway field is not of type WebFlux: {");
		assertThat(this.engine.plans()).isEmpty();
	}

	@Test
	void whatWasMeasuredBeforeAFailureIsKept() {
		StubEngine secondFails = new StubEngine() {

			@Override
			public LoadSession open(LoadPlan plan) {
				if (!plans().isEmpty()) {
					throw new BenchFailure("out of order");
				}
				return super.open(plan);
			}

		};
		RunResults results = this.runner.run(secondFails, this.runner.request("", "webflux-c16", "webmvc-c16"));
		assertThat(results.status()).isEqualTo(Status.FAILED);
		assertThat(results.failure()).isEqualTo("out of order");
		assertThat(results.scenarios()).hasSize(1);
		assertThat(this.runner.out().resolve("report.html")).content().contains("The run failed: out of order");
	}

	@Test
	void anInterruptionKeepsTheSlicesThatWereWhole() {
		StubEngine interrupted = new StubEngine() {

			@Override
			boolean complete(Stage stage) {
				boolean third = sent().stream().mapToInt((session) -> session.stages().size()).sum() == 3;
				if (third) {
					Thread.currentThread().interrupt();
				}
				return !third;
			}

		};
		RunResults results = this.runner.run(interrupted, this.runner.request("", "webflux-c16", "webmvc-c16"));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(results.slices()).hasSize(2).allSatisfy((slice) -> assertThat(slice.round()).isOne());
		assertThat(results.answers()).hasSize(1);
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.out().resolve("report.html")).exists();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aBackendThatIsKilledEndsTheRunAndWhatWasMeasuredBeforeIsKept() {
		RunResults results = this.runner.run(killing("backend-sim.jar"), this.runner.request("", "webflux-c16"));
		assertThat(results.status()).isEqualTo(Status.FAILED);
		assertThat(results.failure()).startsWith("The component backends ended during webflux-c16; see ");
		assertThat(results.slices()).hasSize(1);
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aGatewayThatIsKilledHasFailedAndTheOtherOnesAreMeasured() {
		RunResults results = this.runner.run(killing("gateway-webflux.jar"),
				this.runner.request("", "webflux-c16", "webmvc-c16"));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).extracting(ScenarioResult::id, ScenarioResult::failures)
			.containsExactly(tuple("webflux-c16", List.of("the gateway ended")), tuple("webmvc-c16", List.of()));
	}

	/**
	 * Kills a process in the second slice of WebFlux.
	 */
	private StubEngine killing(String jar) {
		return new StubEngine() {

			private int slices;

			@Override
			void during(Stage stage) {
				if (stage.name().equals("webflux-c16") && ++this.slices == 2) {
					assertThat(ProcessHandle.current().descendants().filter((process) -> runs(process, jar)))
						.singleElement()
						.satisfies((process) -> {
							process.destroyForcibly();
							process.onExit().join();
						});
				}
			}

		};
	}

	private boolean runs(ProcessHandle process, String jar) {
		try {
			// What the handle knows of a command line ends after a page
			String command = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
			return command.contains(this.runner.directory().toString()) && command.contains(jar);
		}
		catch (IOException ex) {
			// It is one of another test, and has ended
			return false;
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "gateway-webflux", "backend-sim", "benchmark" })
	void aMissingJarIsNamed(String name) throws Exception {
		Files.delete(switch (name) {
			case "backend-sim" -> this.runner.installation().backends();
			case "benchmark" -> this.runner.installation().runner();
			default -> this.runner.installation().jar(name);
		});
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("", "webflux-c16")))
			.withMessageContaining(name + ".jar")
			.withMessageContaining("./bench");
	}

	@Test
	void theResultsOfAnotherRunAreNotOverwritten() throws Exception {
		Files.createDirectories(this.runner.out());
		Files.writeString(this.runner.out().resolve("results.json"), "{}");
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("", "webflux-c16")))
			.withMessageContaining("has the results of another run");
	}

	@Test
	void aDirectoryThatCanNotBeWrittenIsNamed() throws Exception {
		Files.writeString(this.runner.directory().resolve("results"), "a file");
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("", "webflux-c16")))
			.withMessageContaining("--out");
	}

	@Test
	void aHeapThatDoesNotFitIsExplained() {
		Heap huge = new Heap("9t", 9L << 40);
		assertThat(Heap.parse("64m").fits(1)).isTrue();
		assertThat(Heap.parse("64m").mostAtOnce()).isPositive();
		assertThat(huge.fits(1)).isFalse();
		assertThat(huge.mostAtOnce()).isZero();
		assertThat(huge.objection(4)).startsWith("--heap 9t is not possible").contains("18433.5 GiB of memory");
	}

}
