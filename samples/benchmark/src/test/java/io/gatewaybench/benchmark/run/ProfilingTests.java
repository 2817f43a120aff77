package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assertions.tuple;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class ProfilingTests {

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
	void everyGatewayIsProfiledAfterTheRoundsOfTheFirstStart() {
		RunResults results = this.runner.run(this.engine,
				profiled(this.runner.request(RunnerFixture.scenarios("busy", "webflux-c16", "webmvc-c16"), 2, 1)));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(this.engine.sent())
			.extracting((session) -> session.plan().id(), (session) -> session.stages().getLast().name())
			.containsExactlyInAnyOrder(tuple("webflux-1", "profile"), tuple("webmvc-1", "profile"),
					tuple("webflux-2", "webflux-c16"), tuple("webmvc-2", "webmvc-c16"));
		assertThat(profile("webflux")).satisfies((profile) -> {
			assertThat(profile.failure()).isNull();
			assertThat(profile.scenario()).isEqualTo("webflux-c16");
			assertThat(profile.okPerSecond()).isEqualTo(400);
			boolean linux = System.getProperty("os.name").equals("Linux");
			assertThat(profile.samples().cpuTime()).isEqualTo(linux && Runtime.version().feature() >= 25);
			assertThat(profile.samples().frames()).contains(StubGateway.class.getName() + ".work");
		});
		assertThat(this.runner.out().resolve("profiles")).isDirectoryContaining("glob:**/webflux.jfr")
			.isDirectoryContaining("glob:**/webmvc.jfr");
		assertThat(this.runner.out().resolve("report.html")).content().contains("<figure id=\"chart-flame\"");
		assertThat(this.runner.out().resolve("report.md")).content().contains("WebFlux: ", " samples in ");
	}

	@Test
	void aProfileThatFailsIsToldAndSpoilsNothing() {
		StubEngine failing = new StubEngine() {

			@Override
			void ask(LoadPlan plan, Stage stage) throws InterruptedException {
				if (stage.name().equals("profile") && plan.id().equals("webflux-1")) {
					throw new BenchFailure("no luck");
				}
				super.ask(plan, stage);
			}

		};
		RunResults results = this.runner.run(failing,
				profiled(this.runner.request(RunnerFixture.scenarios("busy", "webflux-c16", "webmvc-c16"))));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).hasSize(2);
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.output()).contains("No profile of WebFlux: no luck").contains("profile of WebMVC");
		assertThat(profile("webflux").failure()).isEqualTo("no luck");
		assertThat(profile("webmvc").failure()).isNull();
		assertThat(this.runner.out().resolve("report.html")).content().contains("WebFlux has no profile: no luck.");
	}

	@Test
	void anInterruptionOfAProfileLosesNoMeasurement() {
		StubEngine interrupted = new StubEngine() {

			@Override
			boolean complete(Stage stage) {
				if (stage.name().equals("profile")) {
					Thread.currentThread().interrupt();
				}
				return !stage.name().equals("profile");
			}

		};
		RunResults results = this.runner.run(interrupted,
				profiled(this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webmvc-c16"))));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(interrupted.sent().stream().flatMap((session) -> session.stages().stream()))
			.filteredOn((stage) -> stage.name().equals("profile"))
			.hasSize(1);
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(results.scenarios()).hasSize(2);
		assertThat(this.runner.out().resolve("report.html")).exists();
	}

	@Test
	void whatIsNoJvmIsNotProfiled() {
		Variant variant = RunnerFixture.variant("files", "Files",
				new Component.Program(List.of("python3", "-m", "http.server", "--bind", "127.0.0.1", "${port}",
						"--directory", "${directory}"), Map.of("api", "text"), false, "/api"));
		Load load = Load.closed(new Workload(Model.CLOSED, List
			.of(new RequestType("file", 1, "GET", List.of("/api"), Map.of(), null, new Expectation(200, 4, null))), 16,
				Duration.ZERO));
		this.runner.run(this.engine, profiled(this.runner.request(List.of(Scenario.of(variant, load)))));
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactly("files-1");
		assertThat(this.runner.output())
			.contains("No profile of Files: Flight Recorder profiles only JVMs that the run starts");
	}

	private static RunRequest profiled(RunRequest request) {
		return SampleResults.with(request, "plan", SampleResults.with(request.plan(), "profile", true));
	}

	private Profile profile(String variant) {
		return JsonMapper.shared()
			.readValue(contentOf(this.runner.out().resolve("profiles/" + variant + ".json").toFile(),
					StandardCharsets.UTF_8), Profile.class);
	}

}
