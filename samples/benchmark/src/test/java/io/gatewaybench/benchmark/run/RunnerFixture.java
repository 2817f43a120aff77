package io.gatewaybench.benchmark.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.gatewaybench.benchmark.result.PublishedSchema;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

/**
 * A runner of stubs, and requests for it.
 */
final class RunnerFixture {

	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private final List<Duration> rests = new CopyOnWriteArrayList<>();

	private final List<RunEvent> events = new CopyOnWriteArrayList<>();

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

	List<Duration> rests() {
		return this.rests;
	}

	List<RunEvent> events() {
		return this.events;
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
			Console console = new Console(new PrintStream(this.output, true, StandardCharsets.UTF_8), null,
					this.events::add, System::nanoTime, this::rest);
			return new Runner(this.installation, (raw, prefix) -> loadEngine, console).run(request, interruption);
		}
		finally {
			assertThat(loadEngine.open()).isZero();
			assertThatTheFileIsValid();
		}
	}

	private void rest(Duration length) {
		if (length.isPositive()) {
			this.rests.add(length);
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

	RunRequest request(String behaviour, String... ids) {
		return request(behaviour, Duration.ofSeconds(30), ids);
	}

	RunRequest request(String behaviour, Duration patience, String... ids) {
		return request(behaviour, patience, 1, null, ids);
	}

	RunRequest request(String behaviour, Duration patience, int blocks, @Nullable Duration timeLimit, String... ids) {
		return request(scenarios(behaviour, ids), patience, blocks, timeLimit, Design.FRESH);
	}

	RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, @Nullable Duration timeLimit,
			Design design) {
		return request(scenarios, patience, blocks, design.isResident() ? 1 : blocks, timeLimit, design);
	}

	RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, int starts,
			@Nullable Duration timeLimit, Design design) {
		return request(scenarios, patience, blocks, starts, timeLimit, design, 100);
	}

	RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, int starts,
			@Nullable Duration timeLimit, Design design, double tolerance) {
		RunResults.Settings settings = new RunResults.Settings(
				new RunResults.Warmup(Duration.ofSeconds(5), Duration.ofSeconds(1), 4, tolerance),
				Duration.ofSeconds(5), blocks, starts, "128m", Duration.ofSeconds(10), 1, false, Grouping.OWN, design,
				"stub");
		return new RunRequest(SUITE, scenarios, RunPlan.of(SUITE, scenarios, settings, timeLimit),
				Thresholds.of(List.of("webflux.throughput < 100/s"), SUITE, SUITE.scenarios()), Heap.parse("128m"),
				out(), patience, List.of("run"));
	}

	RunRequest resident(int blocks, List<Scenario> scenarios) {
		return request(scenarios, Duration.ofSeconds(30), blocks, null, Design.TURNS);
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
		return (variant.component() instanceof Component.Jar jar) ? variant.as(jar.with(List.of("--stub=" + behaviour)))
				: variant;
	}

}
