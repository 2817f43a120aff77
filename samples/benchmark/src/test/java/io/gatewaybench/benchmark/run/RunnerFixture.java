package io.gatewaybench.benchmark.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.load.Protocol;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.PublishedSchema;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Thresholds;
import io.gatewaybench.benchmark.topology.Heap;
import io.gatewaybench.benchmark.topology.Installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

/**
 * A runner of stubs, and requests for it.
 */
final class RunnerFixture {

	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	private final Path directory;

	private final Installation installation;

	/**
	 * Installs the stubs.
	 * @param directory for their files and for the results
	 */
	RunnerFixture(Path directory) throws IOException {
		this.directory = directory;
		this.installation = StubInstallation.create(directory.resolve("home"));
	}

	String output() {
		return this.output.toString(StandardCharsets.UTF_8);
	}

	Path directory() {
		return this.directory;
	}

	Installation installation() {
		return this.installation;
	}

	Path out() {
		return this.directory.resolve("results/gateway");
	}

	RunResults run(StubEngine loadEngine, RunRequest request) {
		try (Interruption interruption = new Interruption()) {
			Console console = new Console(new PrintStream(this.output, true, StandardCharsets.UTF_8), true, 0,
					System::nanoTime);
			return new Runner(this.installation, (raw, prefix) -> loadEngine, console).run(request, interruption);
		}
		finally {
			assertThat(loadEngine.open()).isZero();
			assertThatTheFileIsValid();
		}
	}

	// However the run ended
	private void assertThatTheFileIsValid() {
		Path file = out().resolve(ResultsFile.NAME);
		if (Files.exists(file)) {
			String json = contentOf(file.toFile(), StandardCharsets.UTF_8);
			assertThat(json.equals("{}") ? List.of() : PublishedSchema.RESULTS.errors(json)).isEmpty();
		}
	}

	void assertNothingIsLeft() {
		StubInstallation.awaitNoChild(this.directory);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).doesNotContain("second-sampler");
	}

	/**
	 * One start of two rounds, without warm-up.
	 */
	RunRequest request(String behaviour, String... ids) {
		return request(scenarios(behaviour, ids), 1, 2);
	}

	RunRequest request(List<Scenario> scenarios) {
		return request(scenarios, 1, 1);
	}

	RunRequest request(List<Scenario> scenarios, int starts, int rounds) {
		return request(scenarios, starts, rounds, Duration.ZERO, Duration.ofSeconds(30));
	}

	RunRequest request(List<Scenario> scenarios, int starts, int rounds, Duration warmUp, Duration patience) {
		RunResults.Settings settings = new RunResults.Settings(Duration.ofSeconds(5), 0.05, null, starts, rounds,
				warmUp, "128m", Duration.ofSeconds(10), 1, false, "stub");
		MainQuestion question = new MainQuestion(Metric.CPU, scenarios.getFirst().load().id(), 0.1);
		return new RunRequest(SUITE, scenarios, RunPlan.of(SUITE, scenarios, settings, question, 9, false),
				Thresholds.of(List.of("webflux.throughput < 100/s"), SUITE, SUITE.scenarios()), Heap.parse("128m"),
				out(), patience, List.of("run"));
	}

	static List<Scenario> scenarios(String behaviour, String... ids) {
		return SUITE.scenarios()
			.stream()
			.filter((scenario) -> List.of(ids).contains(scenario.id()))
			.map((scenario) -> new Scenario(scenario.id(), scenario.title(), stub(scenario.variant(), behaviour),
					scenario.load()))
			.toList();
	}

	static Variant stub(Variant variant, String behaviour) {
		return (variant.component() instanceof Component.Jar jar)
				? SampleResults.with(variant, "component", jar.with(List.of("--stub=" + behaviour))) : variant;
	}

	/**
	 * A variant with a process of its own.
	 */
	static Variant variant(String id, String title, Component component) {
		return new Variant(id, title, component, id, null, List.of(""), null, null, Protocol.HTTP, 1);
	}

}
