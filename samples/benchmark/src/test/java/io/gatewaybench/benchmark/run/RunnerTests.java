package io.gatewaybench.benchmark.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.Progress;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ResourceSeries;
import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.PublishedSchema;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.threshold.Thresholds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

class RunnerTests {

	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private final StubEngine engine = new StubEngine();

	private final List<Duration> rests = new CopyOnWriteArrayList<>();

	private final List<RunEvent> events = new CopyOnWriteArrayList<>();

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	@TempDir
	private Path directory;

	private Installation installation;

	@BeforeEach
	void install() throws Exception {
		this.installation = StubInstallation.create(this.directory.resolve("home"));
	}

	@AfterEach
	void noChildAndNoSamplerIsLeft() {
		StubInstallation.awaitNoChild(this.directory);
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).doesNotContain("second-sampler");
	}

	@Test
	void everyScenarioIsMeasuredAndReported() {
		RunResults results = run(this.engine, request("", "webflux-c16", "webmvc-vt-c100"));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.inSuiteOrder()).extracting(ScenarioResult::id)
			.containsExactly("webflux-c16", "webmvc-vt-c100");
		ScenarioResult first = results.inSuiteOrder().getFirst();
		// This machine runs other tests
		assertThat(first.verdict().reasons()).allSatisfy((reason) -> assertThat(reason).contains("of the CPU time"));
		assertThat(first.okPerSecond()).isEqualTo(400);
		assertThat(first.gateway().cpuMicrosPerOk()).isPositive();
		assertThat(first.gateway().startMillis()).isPositive();
		assertThat(first.probed()).extracting(Probe.Figure::name).contains("peak heap", "peak threads", "port");
		assertThat(results.published(first.id())).containsEntry("throughput", 20.21);
		// 0.4 x 70 + 0.35 x 20 + 0.25 x 20
		assertThat(first.theoreticalMaximum().backendMeanMs()).isCloseTo(40, within(0.001));
		assertThat(first.theoreticalMaximum().requestsPerSecond()).isCloseTo(400, within(0.01));
		assertThat(ResultsFile.read(out())).isEqualTo(results);
		assertThat(out()).isDirectoryContaining("glob:**/report.html")
			.isDirectoryContaining("glob:**/report.md")
			.isDirectoryContaining("glob:**/plan.json");
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/backends.log")
			.isDirectoryContaining("glob:**/webflux-c16-1.log");
		assertThat(out().resolveSibling("latest/results.json")).exists();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theResourcesOfEverySecondAreInTheResults() {
		StubEngine slow = new StubEngine() {

			@Override
			void during(Stage stage) throws InterruptedException {
				if (stage.kind() == Stage.Kind.MEASURE) {
					// Longer than a second, of which the series has to tell
					Thread.sleep(1_100);
				}
			}

		};
		RunResults results = run(slow, request("", "webflux-c16"));
		assertThat(results.scenarios()).isNotEmpty().allSatisfy((scenario) -> {
			ResourceSeries series = scenario.resources().series();
			assertThat(series.seconds()).startsWith(0);
			assertThat(series.cores()).isNotEmpty();
			assertThat(series.threads().getFirst()).isGreaterThan(5);
			assertThat(series.sockets().getFirst()).isPositive();
			assertThat(series.heapUsedBytes().getFirst()).isPositive();
		});
		assertThat(ResultsFile.read(out())).isEqualTo(results);
	}

	@Test
	void everyMeasurementIsPrecededByCyclesOfLoadAndRestAndARunUp() {
		RunResults results = run(this.engine, request("", "webflux-c16"));
		// Once more if something else on this machine disturbed it
		assertThat(this.engine.sent()).allSatisfy((session) -> assertThat(session.stages()).extracting(Stage::name)
			.containsExactly("warm-up 1", "warm-up 2", "warm-up 3", "run-up to webflux-c16", "webflux-c16"));
		assertThat(this.rests.subList(0, 5)).containsOnly(RunPlan.REST);
		// Steady after three cycles, so the fourth is left out
		assertThat(results.warmups()).isNotEmpty().allSatisfy((curve) -> {
			assertThat(curve.variant()).isEqualTo("WebFlux");
			assertThat(curve.cycles()).hasSize(3);
			assertThat(curve.steady()).isTrue();
		});
	}

	@Test
	void thresholdsAreAnsweredInTheResultsAndInAFileForBuildServers() {
		RunResults results = run(this.engine, request("", Duration.ofSeconds(30), 2, null, "webflux-c16"));
		// This machine runs other tests, which may disturb the measurements
		assertThat(results.thresholds()).extracting(ThresholdResult::condition, ThresholdResult::load)
			.containsExactly(tuple("webflux.throughput < 100req/s", "c16"),
					tuple("webflux.throughput < 100req/s", "c100"));
		assertThat(results.thresholds()).extracting(ThresholdResult::outcome).doesNotContain(Outcome.FAILED);
		assertThat(results.thresholds().getLast().reason()).isEqualTo("webflux was not measured.");
		assertThat(out().resolve("thresholds.xml")).content().contains("fail if webflux.throughput &lt; 100req/s");
	}

	@Test
	void blocksForWhichThereIsNoTimeAreLeftOut() {
		RunRequest request = request("", Duration.ofSeconds(30), 3, Duration.ofMillis(1), "webflux-c16");
		RunResults results = run(this.engine, request);
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).extracting(ScenarioResult::block).containsExactly(1);
		assertThat(results.settings().blocks()).isOne();
	}

	@Test
	void generatorAndBackendsCanDoTheBestThatTheyDid() {
		StubEngine slowAtFirst = new StubEngine() {

			@Override
			double seconds(Stage stage) {
				return switch (stage.name()) {
					case "capacity-1" -> 20;
					case "capacity-2" -> 2;
					default -> super.seconds(stage);
				};
			}

		};
		RunResults results = run(slowAtFirst, request("", "direct-c16"));
		assertThat(results.capacity()).containsEntry("c16", 1_000.0);
	}

	@Test
	void oneGatewayIsMeasuredUnderBothLoadsAndTheControlWithoutOne() {
		RunResults results = run(this.engine, request("", "direct-c16", "webflux-c16", "webflux-c100"));
		assertThat(results.scenarios()).extracting(ScenarioResult::id)
			.containsExactlyInAnyOrder("direct-c16", "webflux-c16", "webflux-c100");
		assertThat(results.capacity()).containsOnlyKeys("c16", "c100").containsEntry("c16", 400.0);
		assertThat(this.engine.plans()).extracting(LoadPlan::id)
			.filteredOn((plan) -> !plan.endsWith("-repeated"))
			.containsExactlyInAnyOrder("capacity", "direct-c16-1", "webflux-1");
		ScenarioResult direct = results.scenarios().stream().filter(ScenarioResult::control).findFirst().orElseThrow();
		assertThat(direct.gateway()).isNull();
		assertThat(direct.resources().backends()).isNotNull();
		ScenarioResult gateway = results.inSuiteOrder().get(1);
		assertThat(gateway.gateway().flags()).contains("-XX:+UseSerialGC");
		assertThat(gateway.gateway().allocatedBytesPerOk()).isPositive();
		assertThat(gateway.resources().machine()).isNotNull();
		assertThat(gateway.resources().gateway().cpuSeconds()).isPositive();
		// What was claimed is as much as generator and backends can do, so the gateway
		// may not be what was measured
		assertThat(gateway.verdict().reasons())
			.anySatisfy((reason) -> assertThat(reason).startsWith("generator and backends by themselves do 400"));
	}

	@Test
	void theGatewayIsStartedAsTheVariantSays() {
		RunResults results = run(this.engine, request("", "webmvc-vt-c16", "webmvc-c16"));
		assertThat(results.inSuiteOrder().getFirst().gateway().command()).contains("-Xms128m", "-Xmx128m",
				"-XX:+UseG1GC", "--stub=");
		assertThat(config("webmvc-vt-c16-1").at("/spring/threads/virtual/enabled").booleanValue()).isTrue();
		assertThat(config("webmvc-c16-1").at("/spring/threads/virtual/enabled").booleanValue()).isFalse();
		assertThat(config("webmvc-c16-1").at("/gateway-bench/upstreams/service-c/instances").stringValue())
			.matches("http://127\\.0\\.0\\.1:\\d+,http://127\\.0\\.0\\.1:\\d+");
		assertThat(config("webmvc-c16-1").at("/gateway-bench/metrics/csv/directory").stringValue())
			.isEqualTo(out().resolve("raw/webmvc-c16-1").toString());
	}

	private JsonNode config(String session) {
		return YAMLMapper.shared().readTree(out().resolve("raw").resolve(session).resolve("application.yml"));
	}

	@Test
	void theGatewayIsStartedFromTheJarOfItsVariant() {
		Variant variant = Suites.named("clients").orElseThrow().scenarios().getLast().variant();
		Scenario scenario = Scenario.of(stub(variant, ""), scenarios("", "direct-c16").getFirst().load());
		RunResults results = run(this.engine, resident(1, List.of(scenario)));
		assertThat(results.scenarios().getFirst().gateway().command()).containsSequence("-jar",
				this.installation.jar("gateway-webmvc-clients").toString());
	}

	@Test
	void aProgramGetsItsFilesAndItsPort() {
		List<String> command = List.of("python3", "-m", "http.server", "--bind", "127.0.0.1", "${port}", "--directory",
				"${directory}");
		Variant variant = new Variant("files", "Files",
				new Component.Program(command, Map.of("api", "${service-a.url} is behind it"), "/api"), List.of(""),
				null, null);
		RunResults results = run(this.engine,
				resident(1,
						List.of(Scenario.of(variant,
								Load.closed(new Workload(
										Model.CLOSED, List.of(new RequestType("file", 1, "GET", List.of("/api"),
												Map.of(), null, new Expectation(200, 30, null))),
										16, Duration.ZERO))))));
		ScenarioResult result = results.scenarios().getFirst();
		assertThat(result.gateway().command()).containsSequence("python3", "-m", "http.server");
		assertThat(result.gateway().flags()).isNull();
		assertThat(result.gateway().allocatedBytesPerOk()).isNull();
		assertThat(result.resources().gateway()).isNotNull();
		assertThat(out().resolve("raw/files/api")).content().matches("http://127\\.0\\.0\\.1:\\d+ is behind it");
	}

	@Test
	void aProgramThatIsNotThereIsNamed() {
		Variant variant = new Variant("absent", "Absent",
				new Component.Program(List.of("no-such-gateway"), Map.of(), null), List.of(""), null, null);
		Load load = scenarios("", "direct-c16").getFirst().load();
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(this.engine, resident(1, List.of(Scenario.of(variant, load)))))
			.withMessageContaining("The gateway Absent")
			.withMessageContaining("no-such-gateway");
	}

	@Test
	void aGatewayElsewhereIsMeasuredWithoutItsCosts() throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 2);
			exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
			exchange.close();
		});
		server.start();
		Variant variant = new Variant("remote", "Remote",
				new Component.Remote("http://127.0.0.1:" + server.getAddress().getPort(), "/ready"), List.of(""), null,
				null);
		Workload hello = new Workload(Model.CLOSED, List
			.of(new RequestType("hello", 1, "GET", List.of("/hello"), Map.of(), null, new Expectation(200, 2, null))),
				16, Duration.ZERO);
		RunResults results = run(this.engine, resident(1, List.of(Scenario.of(variant, Load.closed(hello)))));
		server.stop(0);
		ScenarioResult result = results.scenarios().getFirst();
		assertThat(result.control()).isFalse();
		assertThat(result.gateway().cpuMicrosPerOk()).isNull();
		assertThat(result.resources().gateway()).isNull();
		assertThat(result.probed()).containsExactly(new Probe.Figure("port", "", server.getAddress().getPort()));
		assertThat(result.okPerSecond()).isPositive();
	}

	@Test
	void aMeasurementThatIsDisturbedIsMadeAgainAtTheEnd() {
		StubEngine disturbed = new StubEngine() {

			@Override
			void during(Stage stage) throws IOException, InterruptedException {
				if (stage.name().equals("webflux-c16") && !plans().getLast().id().endsWith("repeated")) {
					new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done").start()
						.waitFor();
				}
			}

		};
		RunResults results = run(disturbed,
				request(List.of(scenarios("", "webflux-c16").getFirst(), scenarios("", "webmvc-c16").getFirst()),
						Duration.ofSeconds(30), 1, null, Design.FRESH));
		assertThat(disturbed.plans()).extracting(LoadPlan::id)
			.contains("webflux-c16-1", "webmvc-c16-1", "webflux-c16-1-repeated");
		assertThat(results.scenarios()).extracting(ScenarioResult::id)
			.containsExactlyInAnyOrder("webflux-c16", "webmvc-c16");
		// Which of the two counts depends on what else this machine does
		assertThat(Stream.concat(results.scenarios().stream(), results.repeated().stream()))
			.filteredOn((each) -> each.id().equals("webflux-c16"))
			.hasSize(2)
			.anySatisfy((first) -> assertThat(first.verdict().reasons())
				.anyMatch((reason) -> reason.startsWith("other programs took")));
		assertThat(out().resolve("report.md")).content()
			.contains("Measured twice, as something disturbed the first one: ");
	}

	@Test
	void gatewaysThatStayAreStartedOnceAndTakeTurns() {
		RunResults results = run(this.engine, resident(3, scenarios("", "webflux-c16", "webmvc-c16")));
		assertThat(results.inSuiteOrder()).extracting(ScenarioResult::id, ScenarioResult::block)
			.containsExactly(tuple("webflux-c16", 1), tuple("webflux-c16", 2), tuple("webflux-c16", 3),
					tuple("webmvc-c16", 1), tuple("webmvc-c16", 2), tuple("webmvc-c16", 3));
		assertThat(results.scenarios()).extracting((scenario) -> scenario.gateway().command())
			.satisfies((commands) -> assertThat(new HashSet<>(commands)).hasSize(2));
		// A generator that is new in every block would compile during every measurement
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactly("webflux", "webmvc");
		assertThat(this.engine.open()).isZero();
		assertThat(results.warmups()).hasSize(2).allSatisfy((curve) -> assertThat(curve.block()).isOne());
		assertThat(this.engine.sent()).allSatisfy((session) -> assertThat(session.stages()).extracting(Stage::kind)
			.endsWith(Stage.Kind.MEASURE, Stage.Kind.WARMUP, Stage.Kind.MEASURE, Stage.Kind.WARMUP,
					Stage.Kind.MEASURE));
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/webflux.log");
		assertThat(results.scenarios()).allSatisfy((scenario) -> assertThat(scenario.verdict().reasons())
			.noneMatch((reason) -> reason.contains("steady")));
	}

	@Test
	void gatewaysThatStayAreStartedAnewForEveryPartOfTheBlocks() {
		RunResults results = run(this.engine,
				request(scenarios("", "webflux-c16", "webmvc-c16"), Duration.ofSeconds(30), 4, 2, null, Design.TURNS));
		assertThat(results.inSuiteOrder()).filteredOn((result) -> result.id().equals("webflux-c16"))
			.extracting(ScenarioResult::block, ScenarioResult::start)
			.containsExactly(tuple(1, 1), tuple(2, 1), tuple(3, 2), tuple(4, 2));
		assertThat(results.scenarios()).extracting((scenario) -> scenario.gateway().command())
			.satisfies((commands) -> assertThat(new HashSet<>(commands)).hasSize(4));
		assertThat(results.warmups()).extracting(WarmupCurve::block).containsExactly(1, 1, 3, 3);
		assertThat(out().resolve("logs")).isDirectoryContaining("glob:**/webflux.log")
			.isDirectoryContaining("glob:**/webflux-start-2.log");
	}

	@Test
	void aDuetRunsAVariantAndItsBaselineAtTheSameTime() {
		List<Scenario> scenarios = new ArrayList<>(scenarios("", "direct-c16", "webmvc-c16"));
		Variant alike = scenarios.getLast().variant();
		scenarios.add(Scenario.of(
				new Variant("alike", "Alike", alike.component(), alike.prefixes(), alike.gatewayField(), alike.title()),
				scenarios.getLast().load()));
		RunResults results = run(this.engine, request(scenarios, Duration.ofSeconds(30), 2, null, Design.DUETS));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.settings().blocks()).isEqualTo(2);
		assertThat(results.scenarios()).extracting(ScenarioResult::id, ScenarioResult::block)
			.containsExactlyInAnyOrder(tuple("alike-c16", 1), tuple("webmvc-c16", 1), tuple("alike-c16", 2),
					tuple("webmvc-c16", 2));
		// Set up alike, they change places
		Map<Integer, List<String>> alikes = new HashMap<>();
		results.scenarios()
			.stream()
			.filter((scenario) -> scenario.id().equals("alike-c16"))
			.forEach((scenario) -> alikes.put(scenario.block(), scenario.gateway().command()));
		assertThat(alikes.get(1)).isNotEqualTo(alikes.get(2));
		assertThat(results.scenarios()).extracting((scenario) -> scenario.gateway().command())
			.satisfies((commands) -> assertThat(new HashSet<>(commands)).hasSize(2));
		// A generator that is new in every block would compile during every measurement
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactly("capacity", "alike", "webmvc");
		assertThat(this.engine.open()).isZero();
		assertThat(results.warmups()).hasSize(2);
		assertThat(results.analysis().comparisons()).filteredOn((comparison) -> comparison.metric() == Metric.CPU)
			.allSatisfy((comparison) -> assertThat(comparison.baseline()).isEqualTo("WebMVC"));
	}

	@Test
	void theTwoOfADuetBeginTheirStagesTogether() {
		CountDownLatch bothRunUp = new CountDownLatch(2);
		CountDownLatch bothMeasured = new CountDownLatch(2);
		StubEngine together = new StubEngine() {

			@Override
			void during(Stage stage) throws InterruptedException {
				CountDownLatch both = stage.name().startsWith("run-up") ? bothRunUp : bothMeasured;
				if (!stage.name().startsWith("warm-up")) {
					both.countDown();
					assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
				}
			}

		};
		RunResults results = run(together,
				request(scenarios("", "webflux-c16", "webmvc-c16"), Duration.ofSeconds(30), 1, null, Design.DUETS));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "run-up to webmvc-c16", "webmvc-c16", "run-up to webflux-c16", "webflux-c16" })
	@Timeout(60)
	void aSessionThatFailsEndsTheOtherOfItsDuet(String stageThatFails) {
		StubEngine failing = new StubEngine() {

			@Override
			void during(Stage stage) {
				if (stage.name().equals(stageThatFails)) {
					throw new BenchFailure("no luck with " + stage.name());
				}
			}

		};
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(failing,
					request(scenarios("", "webflux-c16", "webmvc-c16"), Duration.ofSeconds(30), 1, null, Design.DUETS)))
			.withMessage("no luck with " + stageThatFails);
	}

	@Test
	void aSessionTakesAsLongAsItIsEstimatedIfItsGatewayIsNeverSteady() {
		RunRequest request = request(scenarios("", "webflux-c16", "webflux-c100"), Duration.ofSeconds(30), 1, 1, null,
				Design.FRESH, -1);
		run(this.engine, request);
		Duration loads = this.engine.sent()
			.getFirst()
			.stages()
			.stream()
			.map(Stage::duration)
			.reduce(Duration.ZERO, Duration::plus);
		assertThat(this.engine.sent().getFirst().stages()).hasSize(4 + 2 * 2);
		// 4 in the warm-up, and 2 before each measurement
		Duration rested = RunPlan.REST.multipliedBy(4 + 2 * 2);
		assertThat(loads.plus(rested)).isEqualTo(request.plan().length(request.plan().sessions().getFirst(), false));
		assertThat(this.rests).hasSizeGreaterThanOrEqualTo(4 + 2 * 2).containsOnly(RunPlan.REST);
	}

	@ParameterizedTest
	@EnumSource(names = { "FRESH", "TURNS" })
	void profilesAreMadeOnceAllIsMeasuredAndWritten(Design design) {
		List<RunResults> before = new CopyOnWriteArrayList<>();
		StubEngine looking = new StubEngine() {

			@Override
			void during(Stage stage) {
				if (stage.name().equals("profile")) {
					before.add(ResultsFile.read(out()));
					assertThat(out().resolve("report.html")).exists();
				}
			}

		};
		RunResults results = run(looking, profiled(
				request(scenarios("busy", "webflux-c16", "webmvc-c16"), Duration.ofSeconds(30), 1, null, design)));
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
			assertThat(profile.samples().methods()).extracting(StackSamples.Method::name)
				.contains(StubGateway.class.getName() + ".work");
		});
		assertThat(out().resolve("profiles")).isDirectoryContaining("glob:**/webflux.jfr")
			.isDirectoryContaining("glob:**/webmvc.jfr");
		assertThat(out().resolve("report.html")).content().contains("<figure id=\"chart-flame\"");
		assertThat(out().resolve("report.md")).content().contains("StubGateway.work");
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
		RunResults results = run(failing, profiled(request("busy", "webflux-c16", "webmvc-c16")));
		assertThat(results.status()).isEqualTo(Status.COMPLETE);
		assertThat(results.scenarios()).hasSize(2);
		assertThat(ResultsFile.read(out())).isEqualTo(results);
		assertThat(this.output.toString(StandardCharsets.UTF_8)).contains("No profile of WebFlux: no luck")
			.contains("Profile of WebMVC: ");
		assertThat(profile("webflux").failure()).isEqualTo("no luck");
		assertThat(profile("webmvc").failure()).isNull();
		assertThat(out().resolve("report.html")).content().contains("WebFlux has no profile: no luck.");
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
		RunResults results = run(interrupted, profiled(request("", "webflux-c16", "webmvc-c16")));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(interrupted.plans()).extracting(LoadPlan::id).doesNotContain("profile-webmvc");
		RunResults written = ResultsFile.read(out());
		assertThat(written.status()).isEqualTo(Status.COMPLETE);
		assertThat(written.scenarios()).isEqualTo(results.scenarios()).hasSize(2);
		assertThat(out().resolve("report.html")).exists();
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
		run(this.engine, profiled(resident(1, List.of(Scenario.of(variant, load)))));
		assertThat(this.engine.plans()).extracting(LoadPlan::id).containsExactly("files");
		assertThat(this.output.toString(StandardCharsets.UTF_8))
			.contains("No profile of Files: Flight Recorder profiles only JVMs that the run starts");
	}

	private static RunRequest profiled(RunRequest request) {
		return new RunRequest(request.suite(), request.scenarios(), request.plan().withProfiles(request.scenarios()),
				request.thresholds(), request.heap(), request.out(), request.patience(), request.arguments());
	}

	private Profile profile(String variant) {
		return JsonMapper.shared()
			.readValue(contentOf(out().resolve("profiles/" + variant + ".json").toFile(), StandardCharsets.UTF_8),
					Profile.class);
	}

	@Test
	void aGatewayThatDoesNotStartIsExplainedWithItsLog() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(this.engine, request("port-in-use", "webflux-c16")))
			.withMessage("The gateway WebFlux did not start: it ended with exit code 1: Web server failed to start. "
					+ "Port 8080 was already in use.; see " + out().resolve("logs/webflux-c16-1.log"));
		assertThat(ResultsFile.read(out()).status()).isEqualTo(Status.FAILED);
	}

	@Test
	void aGatewayThatIsNotHealthyInTimeIsExplainedWithItsLog() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(this.engine, request("unhealthy", Duration.ofSeconds(3), "webflux-c16")))
			.withMessageContaining("The gateway WebFlux is not ready in time: /actuator/health answers 503")
			.withMessageContaining("see " + out().resolve("logs/webflux-c16-1.log"));
	}

	@Test
	void aGatewayThatAnswersWronglyIsNotMeasured() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> run(this.engine, request("wrong-type", "webflux-c16")))
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
		RunResults results = run(secondFails, request("", "webflux-c16", "webmvc-c16"));
		assertThat(results.status()).isEqualTo(Status.FAILED);
		assertThat(results.failure()).isEqualTo("out of order");
		assertThat(results.scenarios()).hasSize(1);
		assertThat(out().resolve("report.html")).content().contains("1 of 2 measurements are in this report");
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
		RunResults results = run(interrupted, request("", "webflux-c16", "webmvc-c16"));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(results.status()).isEqualTo(Status.INTERRUPTED);
		assertThat(results.scenarios()).singleElement()
			.satisfies((scenario) -> assertThat(scenario.verdict().reasons()).contains("cut short after 5.0 of 5 s"));
		assertThat(ResultsFile.read(out())).isEqualTo(results);
		assertThat(out().resolve("report.html")).exists();
	}

	@ParameterizedTest
	@ValueSource(strings = { "gateway-webflux", "backend-sim", "benchmark" })
	void aMissingJarIsNamed(String name) throws Exception {
		Files.delete(switch (name) {
			case "backend-sim" -> this.installation.backends();
			case "benchmark" -> this.installation.runner();
			default -> this.installation.jar(name);
		});
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> run(this.engine, request("", "webflux-c16")))
			.withMessageContaining(name + ".jar")
			.withMessageContaining("./bench");
	}

	@Test
	void theResultsOfAnotherRunAreNotOverwritten() throws Exception {
		Files.createDirectories(out());
		Files.writeString(out().resolve("results.json"), "{}");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> run(this.engine, request("", "webflux-c16")))
			.withMessageContaining("has the results of another run");
	}

	@Test
	void aDirectoryThatCanNotBeWrittenIsNamed() throws Exception {
		Files.writeString(this.directory.resolve("results"), "a file");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> run(this.engine, request("", "webflux-c16")))
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

	@Test
	void progressOfAConsoleWithoutTerminalIsPlainLines() {
		run(this.engine, request("", "webflux-c16"));
		assertThat(this.output.toString(StandardCharsets.UTF_8)).contains("Suite gateway: 1 block of 1 × 5 s",
				"webflux-c16, block 1: 400.0 req/s (100.0 % of the theoretical maximum), P50 40.0 ms");
	}

	@Test
	void programsAreToldOfEveryStepOfARunInItsOrder() {
		// Where gateways stay, nothing is measured again
		RunResults results = run(this.engine, resident(1, scenarios("", "webflux-c16")));
		assertThat(this.events).containsExactly(
				new RunEvent.RunBegun("gateway", out().toString(), out().resolve("plan.json").toString(),
						List.of("webflux-c16"), 1, 1, ((RunEvent.RunBegun) this.events.getFirst()).secondsAtMost()),
				new RunEvent.ScenarioBegun("webflux-c16", 1, false),
				new RunEvent.Second("webflux-c16", 1, 0, 2000, 0, 40.0),
				RunEvent.ScenarioEnded.of(results.scenarios().getFirst()));
		assertThat((RunEvent.ScenarioEnded) this.events.getLast()).satisfies((ended) -> {
			assertThat(ended.okPerSecond()).isEqualTo(400);
			assertThat(ended.p99Ms()).isCloseTo(40, within(0.1));
			assertThat(ended.overheadP50Ms()).isCloseTo(1, within(0.1));
			assertThat(ended.errors()).isZero();
		});
		assertThat(((RunEvent.RunBegun) this.events.getFirst()).secondsAtMost()).isPositive();
	}

	private RunResults run(StubEngine loadEngine, RunRequest request) {
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

	private Path out() {
		return this.directory.resolve("results/gateway");
	}

	private RunRequest request(String behaviour, String... ids) {
		return request(behaviour, Duration.ofSeconds(30), ids);
	}

	private RunRequest request(String behaviour, Duration patience, String... ids) {
		return request(behaviour, patience, 1, null, ids);
	}

	private RunRequest request(String behaviour, Duration patience, int blocks, @Nullable Duration timeLimit,
			String... ids) {
		return request(scenarios(behaviour, ids), patience, blocks, timeLimit, Design.FRESH);
	}

	private RunRequest resident(int blocks, List<Scenario> scenarios) {
		return request(scenarios, Duration.ofSeconds(30), blocks, null, Design.TURNS);
	}

	private static List<Scenario> scenarios(String behaviour, String... ids) {
		return SUITE.scenarios()
			.stream()
			.filter((scenario) -> List.of(ids).contains(scenario.id()))
			.map((scenario) -> new Scenario(scenario.id(), scenario.title(), stub(scenario.variant(), behaviour),
					scenario.load()))
			.toList();
	}

	private RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, @Nullable Duration timeLimit,
			Design design) {
		return request(scenarios, patience, blocks, design.isResident() ? 1 : blocks, timeLimit, design);
	}

	private RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, int starts,
			@Nullable Duration timeLimit, Design design) {
		return request(scenarios, patience, blocks, starts, timeLimit, design, 100);
	}

	private RunRequest request(List<Scenario> scenarios, Duration patience, int blocks, int starts,
			@Nullable Duration timeLimit, Design design, double tolerance) {
		RunResults.Settings settings = new RunResults.Settings(
				new RunResults.Warmup(Duration.ofSeconds(5), Duration.ofSeconds(1), 4, tolerance),
				Duration.ofSeconds(5), blocks, starts, "128m", Duration.ofSeconds(10), 1, false, Grouping.OWN, design,
				"stub");
		return new RunRequest(SUITE, scenarios, RunPlan.of(SUITE, scenarios, settings, timeLimit),
				Thresholds.of(List.of("webflux.throughput < 100/s"), SUITE, SUITE.scenarios()), Heap.parse("128m"),
				out(), patience, List.of("run"));
	}

	private static Variant stub(Variant variant, String behaviour) {
		return (variant.component() instanceof Component.Jar jar) ? variant.as(jar.with(List.of("--stub=" + behaviour)))
				: variant;
	}

}
