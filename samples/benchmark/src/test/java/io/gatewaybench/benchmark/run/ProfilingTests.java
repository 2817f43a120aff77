package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

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

	@ParameterizedTest
	@EnumSource(names = { "FRESH", "TURNS" })
	void profilesAreMadeOnceAllIsMeasuredAndWritten(Design design) {
		List<RunResults> before = new CopyOnWriteArrayList<>();
		StubEngine looking = new StubEngine() {

			@Override
			void during(Stage stage) {
				if (stage.name().equals("profile")) {
					before.add(ResultsFile.read(ProfilingTests.this.runner.out()));
					assertThat(ProfilingTests.this.runner.out().resolve("report.html")).exists();
				}
			}

		};
		RunResults results = this.runner.run(looking,
				profiled(this.runner.request(RunnerFixture.scenarios("busy", "webflux-c16", "webmvc-c16"),
						Duration.ofSeconds(30), 1, null, design)));
		assertThat(before).hasSize(2).allSatisfy((written) -> assertThat(written).isEqualTo(results));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(looking.plans()).extracting(LoadPlan::id).endsWith("profile-webflux", "profile-webmvc");
		assertThat(looking.sent().subList(looking.sent().size() - 2, looking.sent().size()))
			.allSatisfy((session) -> assertThat(session.stages()).extracting(Stage::name)
				.containsExactly("warm-up 1", "warm-up 2", "warm-up 3", "profile"));
		assertThat(profile("webflux")).satisfies((profile) -> {
			assertThat(profile.failure()).isNull();
			assertThat(profile.scenario()).isEqualTo("webflux-c16");
			assertThat(profile.okPerSecond()).isEqualTo(400);
			boolean linux = System.getProperty("os.name").equals("Linux");
			assertThat(profile.samples().cpuTime()).isEqualTo(linux && Runtime.version().feature() >= 25);
			assertThat(profile.samples().methods()).extracting(StackSamples.Method::name)
				.contains(StubGateway.class.getName() + ".work");
		});
		assertThat(this.runner.out().resolve("profiles")).isDirectoryContaining("glob:**/webflux.jfr")
			.isDirectoryContaining("glob:**/webmvc.jfr");
		assertThat(this.runner.out().resolve("report.html")).content().contains("<figure id=\"chart-flame\"");
		assertThat(this.runner.out().resolve("report.md")).content().contains("StubGateway.work");
	}

	@Test
	void aProfileThatFailsIsToldAndSpoilsNothing() {
		StubEngine failing = new StubEngine() {

			@Override
			void during(Stage stage) {
				if (stage.name().equals("profile") && plans().getLast().id().equals("profile-webflux")) {
					throw new BenchFailure("no luck");
				}
			}

		};
		RunResults results = this.runner.run(failing,
				profiled(this.runner.request("busy", "webflux-c16", "webmvc-c16")));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).hasSize(2);
		assertThat(ResultsFile.read(this.runner.out())).isEqualTo(results);
		assertThat(this.runner.output()).contains("No profile of WebFlux: no luck").contains("Profile of WebMVC: ");
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
				profiled(this.runner.request("", "webflux-c16", "webmvc-c16")));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(interrupted.plans()).extracting(LoadPlan::id).doesNotContain("profile-webmvc");
		RunResults written = ResultsFile.read(this.runner.out());
		assertThat(written.status()).isEqualTo(Status.COMPLETE);
		assertThat(written.scenarios()).isEqualTo(results.scenarios()).hasSize(2);
		assertThat(this.runner.out().resolve("report.html")).exists();
	}

	@Test
	void whatIsNoJvmIsNotProfiled() {
		Variant variant = new Variant(
				"files", "Files", new Component.Program(List.of("python3", "-m", "http.server", "--bind", "127.0.0.1",
						"${port}", "--directory", "${directory}"), Map.of("api", "text"), "/api"),
				List.of(""), null, null);
		Load load = Load.closed(new Workload(Model.CLOSED, List
			.of(new RequestType("file", 1, "GET", List.of("/api"), Map.of(), null, new Expectation(200, 4, null))), 16,
				Duration.ZERO));
		this.runner.run(this.engine, profiled(this.runner.resident(1, List.of(Scenario.of(variant, load)))));
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactly("files");
		assertThat(this.runner.output())
			.contains("No profile of Files: Flight Recorder profiles only JVMs that the run starts");
	}

	private static RunRequest profiled(RunRequest request) {
		return new RunRequest(request.suite(), request.scenarios(), request.plan().withProfiles(request.scenarios()),
				request.thresholds(), request.heap(), request.out(), request.patience(), request.arguments());
	}

	private Profile profile(String variant) {
		return JsonMapper.shared()
			.readValue(contentOf(this.runner.out().resolve("profiles/" + variant + ".json").toFile(),
					StandardCharsets.UTF_8), Profile.class);
	}

}
