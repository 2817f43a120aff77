package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import com.sun.net.httpserver.HttpServer;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("runner")
class RunnerGatewaysTests {

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
	void theGatewayIsStartedAsTheVariantSays() {
		RunResults results = this.runner.run(this.engine, this.runner.request("", "webmvc-vt-c16", "webmvc-c16"));
		assertThat(results.scenarios().getFirst().gateway().command()).contains("-Xms128m", "-Xmx128m", "-XX:+UseG1GC",
				"--stub=");
		assertThat(config("webmvc-vt-1").at("/spring/threads/virtual/enabled").booleanValue()).isTrue();
		assertThat(config("webmvc-1").at("/spring/threads/virtual/enabled").booleanValue()).isFalse();
		assertThat(config("webmvc-1").at("/gateway-bench/upstreams/service-c/instances").stringValue())
			.matches("http://127\\.0\\.0\\.1:\\d+,http://127\\.0\\.0\\.1:\\d+");
		assertThat(config("webmvc-1").at("/gateway-bench/metrics/csv/directory").stringValue())
			.isEqualTo(this.runner.out().resolve("raw/webmvc-1").toString());
	}

	private JsonNode config(String session) {
		return YAMLMapper.shared()
			.readTree(this.runner.out().resolve("raw").resolve(session).resolve("application.yml"));
	}

	@Test
	void theGatewayIsStartedFromTheJarOfItsVariant() {
		Variant variant = Suites.named("clients").orElseThrow().scenarios().getLast().variant();
		Scenario scenario = Scenario.of(RunnerFixture.stub(variant, ""),
				RunnerFixture.scenarios("", "direct-c16").getFirst().load());
		RunResults results = this.runner.run(this.engine, this.runner.request(List.of(scenario)));
		assertThat(results.scenarios().getFirst().gateway().command()).containsSequence("-jar",
				this.runner.installation().jar("gateway-webmvc-clients").toString());
	}

	@Test
	void aProgramGetsItsFilesAndItsPort() {
		List<String> command = List.of("python3", "-m", "http.server", "--bind", "127.0.0.1", "${port}", "--directory",
				"${directory}");
		Variant variant = RunnerFixture.variant("files", "Files",
				new Component.Program(command, Map.of("api", "${service-a.url} is behind it"), false, "/api"));
		RunResults results = this.runner.run(this.engine,
				this.runner.request(
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
		assertThat(this.runner.out().resolve("raw/files-1/api")).content()
			.matches("http://127\\.0\\.0\\.1:\\d+ is behind it");
	}

	@Test
	void aProgramThatIsNotThereIsNamed() {
		Variant variant = RunnerFixture.variant("absent", "Absent",
				new Component.Program(List.of("no-such-gateway"), Map.of(), false, null));
		Load load = RunnerFixture.scenarios("", "direct-c16").getFirst().load();
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> this.runner.run(this.engine, this.runner.request(List.of(Scenario.of(variant, load)))))
			.withMessageContaining("The gateway Absent")
			.withMessageContaining("no-such-gateway");
	}

	@Test
	void aGatewayElsewhereIsMeasuredWithoutItsCosts() throws Exception {
		HttpServer server = elsewhere("ok");
		ScenarioResult result = runElsewhere(server, null).scenarios().getFirst();
		assertThat(result.control()).isFalse();
		assertThat(result.gateway().cpuMicrosPerOk()).isNull();
		assertThat(result.resources().gateway()).isNull();
		assertThat(result.okPerSecond()).isPositive();
	}

	@Test
	void aGatewayElsewhereTellsItsCostsByItsActuator() throws Exception {
		HttpServer server = elsewhere("ok");
		AtomicLong nanos = new AtomicLong();
		answer(server, "/actuator/metrics/process.cpu.time", () -> meter("COUNT", nanos.addAndGet(40_000_000)));
		answer(server, "/actuator/metrics/jvm.gc.memory.allocated",
				() -> meter("COUNT", nanos.get() / 40_000_000 * 1_000_000));
		answer(server, "/actuator/info", () -> "{\"java\":{\"version\":\"25.0.1\"}}");
		answer(server, "/actuator/gatewaybench",
				() -> "{\"flavour\":\"WebFlux\",\"upstreams\":{},\"httpClient\":{\"maxConnections\":64}}");
		RunResults results = runElsewhere(server, "/actuator");
		ScenarioResult result = results.scenarios().getFirst();
		assertThat(result.resources().gateway().cpuSeconds()).isCloseTo(0.04, within(1e-9));
		assertThat(result.gateway().cpuMicrosPerOk()).isCloseTo(0.04e6 / result.counts().ok(), within(1e-9));
		assertThat(result.gateway().allocatedBytesPerOk()).isPositive();
		assertThat(results.environment().gatewaySettings()).containsValue(
				"{\"info\":{\"java\":{\"version\":\"25.0.1\"}},\"gatewaybench.flavour\":\"WebFlux\",\"gatewaybench.httpClient\":{\"maxConnections\":64}}");
	}

	@Test
	void anActuatorWithoutMetricsEndsTheRun() throws Exception {
		HttpServer server = elsewhere("ok");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> runElsewhere(server, "/actuator"))
			.withMessageContaining("/actuator/metrics/process.cpu.time")
			.withMessageContaining("expose the endpoint 'metrics'");
	}

	private RunResults runElsewhere(HttpServer server, @Nullable String actuator) {
		try {
			Variant variant = RunnerFixture.variant("remote", "Remote",
					new Component.Remote("http://127.0.0.1:" + server.getAddress().getPort(), "/ready", actuator));
			Workload hello = new Workload(Model.CLOSED, List.of(new RequestType("hello", 1, "GET", List.of("/hello"),
					Map.of(), null, new Expectation(200, 2, null))), 16, Duration.ZERO);
			return this.runner.run(this.engine, this.runner.request(List.of(Scenario.of(variant, Load.closed(hello)))));
		}
		finally {
			server.stop(0);
		}
	}

	private static HttpServer elsewhere(String body) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		answer(server, "/", () -> body);
		server.createContext("/actuator/", (exchange) -> {
			exchange.sendResponseHeaders(404, -1);
			exchange.close();
		});
		server.start();
		return server;
	}

	private static void answer(HttpServer server, String path, Supplier<String> body) {
		server.createContext(path, (exchange) -> {
			byte[] bytes = body.get().getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		});
	}

	private static String meter(String statistic, long value) {
		return "{\"measurements\":[{\"statistic\":\"%s\",\"value\":%d}]}".formatted(statistic, value);
	}

	@Test
	void gatewaysOfAStartAreUpTogetherAndStayForAllItsRounds() {
		RunResults results = this.runner.run(this.engine,
				this.runner.request(RunnerFixture.scenarios("", "webflux-c16", "webmvc-c16"), 2, 2));
		assertThat(results.slices()).extracting(Slice::scenario, Slice::start, Slice::round)
			.containsExactlyInAnyOrder(tuple("webflux-c16", 1, 1), tuple("webmvc-c16", 1, 1),
					tuple("webflux-c16", 1, 2), tuple("webmvc-c16", 1, 2), tuple("webflux-c16", 2, 1),
					tuple("webmvc-c16", 2, 1), tuple("webflux-c16", 2, 2), tuple("webmvc-c16", 2, 2));
		assertThat(results.scenarios()).extracting(ScenarioResult::id, ScenarioResult::start)
			.containsExactly(tuple("webflux-c16", 1), tuple("webflux-c16", 2), tuple("webmvc-c16", 1),
					tuple("webmvc-c16", 2));
		assertThat(results.scenarios()).extracting((scenario) -> scenario.gateway().command()).doesNotHaveDuplicates();
		// A generator that is new in every round would compile during every slice
		assertThat(this.engine.plans()).extracting(LoadPlan::id)
			.containsExactlyInAnyOrder("webflux-1", "webmvc-1", "webflux-2", "webmvc-2");
		assertThat(results.answers()).singleElement().satisfies((answer) -> {
			assertThat(answer.rounds()).isEqualTo(4);
			assertThat(answer.ratio().samples()).isEqualTo(2);
		});
		assertThat(this.runner.out().resolve("logs")).isDirectoryContaining("glob:**/webflux-2.log");
	}

}
