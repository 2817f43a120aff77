package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
					+ "Port 8080 was already in use.; see " + this.runner.out().resolve("logs/webflux-c16-1.log"));
		assertThat(ResultsFile.read(this.runner.out()).status()).isEqualTo(Status.FAILED);
	}

	@Test
	void aGatewayThatIsNotHealthyInTimeIsExplainedWithItsLog() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine,
					this.runner.request("unhealthy", Duration.ofSeconds(3), "webflux-c16")))
			.withMessageContaining("The gateway WebFlux is not ready in time: /actuator/health answers 503")
			.withMessageContaining("see " + this.runner.out().resolve("logs/webflux-c16-1.log"));
	}

	@Test
	void aGatewayThatAnswersWronglyIsNotMeasured() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request("wrong-type", "webflux-c16")))
			.withMessageContaining("GET /service-a/api/heavy: _gateway is {\"type\":\"Other\"")
			.withMessageContaining("expected type WebFlux");
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
		assertThat(this.runner.out().resolve("report.html")).content()
			.contains("1 of 2 measurements are in this report");
	}

	@Test
	void anInterruptionKeepsWhatWasMeasuredAndMarksTheMeasurementThatWasCutShort() {
		StubEngine interrupted = new StubEngine() {

			@Override
			boolean complete(Stage stage) {
				if (stage.kind() == Stage.Kind.MEASURE) {
					Thread.currentThread().interrupt();
				}
				return stage.kind() != Stage.Kind.MEASURE;
			}

		};
		RunResults results = this.runner.run(interrupted, this.runner.request("", "webflux-c16", "webmvc-c16"));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(results.scenarios()).singleElement()
			.satisfies((scenario) -> assertThat(scenario.verdict().reasons()).contains("cut short after 5.0 of 5 s"));
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.out().resolve("report.html")).exists();
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
	void aHeapThatDoesNotFitIsRefused() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Heap.parse("2g").checkFits(1, 2L << 30))
			.withMessage("A gateway heap of 2g needs 3.0 GiB of memory with everything around it, but 2.0 GiB are "
					+ "available. Use a smaller one, such as --heap 512m.");
	}

	@Test
	void theHeapsOfGatewaysThatStayAddUp() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Heap.parse("1g").checkFits(4, 4L << 30))
			.withMessage(
					"A heap for each of the 4 gateways that stay of 1g needs 6.6 GiB of memory with everything around "
							+ "it, but 4.0 GiB are available. Use a smaller one, such as --heap 512m, or fewer gateways with --only.");
	}

}
