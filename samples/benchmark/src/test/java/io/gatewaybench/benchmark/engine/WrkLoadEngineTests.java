package io.gatewaybench.benchmark.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

class WrkLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	private static final Stage SECOND = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(1));

	@TempDir
	private Path directory;

	@Test
	void aClosedLoopIsSentAndAccountedFor() throws Exception {
		assumeThat(WrkLoadEngine.isInstalled() || System.getenv("CI") != null).as("wrk is installed").isTrue();
		try (StubServer server = StubServer.answering(OK)) {
			Map<String, StageResult> results = Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(3)
				.stage("warm up", 1_000)
				.stage("measure", 1_000)
				.send(engine());
			StageResult measured = results.get("measure");
			assertThat(measured.complete()).isTrue();
			assertThat(measured.balanced()).isTrue();
			assertThat(measured.total().counts().ok()).isPositive().isLessThanOrEqualTo(server.requests());
			assertThat(measured.total().counts().failed()).isZero();
			assertThat(measured.total().latency().service().summary().meanMs()).isPositive();
			assertThat(measured.seconds()).isGreaterThanOrEqualTo(1);
			assertThat(server.mostInFlight()).isLessThanOrEqualTo(3);
			LoadResult written = new LoadFiles(this.directory.resolve("test")).readResult();
			assertThat(written.complete()).isTrue();
			assertThat(written.stages()).isEqualTo(List.copyOf(results.values()));
		}
	}

	@Test
	void answersWithAnErrorAreNotGood() throws Exception {
		assumeThat(WrkLoadEngine.isInstalled() || System.getenv("CI") != null).as("wrk is installed").isTrue();
		try (StubServer server = StubServer.answering("HTTP/1.1 503 Busy~Content-Length: 0~~")) {
			TypeResult total = Plans.builder(Model.CLOSED)
				.port(server.port())
				.stage("measure", 1_000)
				.send(engine())
				.get("measure")
				.total();
			assertThat(total.counts().ok()).isZero();
			assertThat(total.counts().httpError()).isPositive();
			assertThat(total.failures()).singleElement().asString().endsWith("answers with a status above 399");
		}
	}

	@Test
	void anotherLoadIsRefused() {
		assertThatExceptionOfType(LoadEngineException.class)
			.isThrownBy(() -> engine().open(Plans.builder(Model.OPEN).build()))
			.withMessageContaining("closed loops");
		Stage iterations = SECOND.withIterations(5);
		assertThatExceptionOfType(LoadEngineException.class)
			.isThrownBy(() -> Plans.builder(Model.CLOSED).stage(iterations).send(engine()))
			.withMessageContaining("stage 'measure' ends by iterations");
		LoadEngineProvider wrk = new WrkLoadEngine.Provider();
		assertThat(wrk.objection(Plans.builder(Model.OPEN).build().workload(), SECOND, 0)).contains("closed loops");
		assertThat(wrk.objection(Plans.builder(Model.CLOSED).thinkTime(5).build().workload(), SECOND, 0))
			.contains("think time");
		assertThat(wrk.objection(Plans.builder(Model.CLOSED).build().workload(), iterations, 0)).contains("iterations");
	}

	@Test
	void anInterruptEndsTheProcessAndKeepsTheStagesBefore() throws Exception {
		assumeThat(WrkLoadEngine.isInstalled() || System.getenv("CI") != null).as("wrk is installed").isTrue();
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession session = engine().open(Plans.builder(Model.CLOSED).port(server.port()).build());
			session.run(Stage.closed("before", Stage.Kind.MEASURE, Duration.ofSeconds(1)), (second) -> {
			});
			Thread.currentThread().interrupt();
			Stage longer = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofMinutes(10));
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> session.run(longer, (second) -> {
			}));
			assertThatExceptionOfType(LoadEngineException.class).isThrownBy(() -> session.run(longer, (second) -> {
			})).withMessageContaining("no further stage");
			session.close();
			LoadResult written = new LoadFiles(this.directory.resolve("test")).readResult();
			assertThat(written.complete()).isFalse();
			assertThat(written.stages()).extracting(StageResult::stage).containsExactly("before");
			await().until(() -> server.open() == 0);
		}
	}

	@Test
	void enginesAreFoundByTheirNames() {
		assertThat(LoadEngineProvider.all()).extracting(LoadEngineProvider::name)
			.containsExactly("embedded", "wrk", "jmeter");
		LoadEngineProvider embedded = LoadEngineProvider.all().getFirst();
		assertThat(embedded.objection(Plans.builder(Model.OPEN).build().workload(), SECOND, 0)).isNull();
		assertThat(embedded.objection(Plans.builder(Model.CLOSED).build().workload(), SECOND.withIterations(5), 0))
			.isNull();
		assertThat(embedded.create(
				new LoadEngineProvider.Setup(this.directory, List.of(), List.of("java"), List.of(), this.directory)))
			.isInstanceOf(ForkedLoadEngine.class);
	}

	@Test
	void theScriptSendsAnyTextAsItIs() {
		RequestType type = new RequestType("odd", 2.5, "POST", List.of("/a?b=\"c\\"), Map.of("X-A", "%s"), "é",
				new Expectation(200, 0, null));
		assertThat(WrkScript.of(Plans.builder(Model.CLOSED).mix(type).build(), SECOND))
			.contains("{weight = 2.5, method = \"POST\", paths = {\"/a\\063b\\061\\034c\\092\"}, "
					+ "headers = {[\"X-A\"] = \"\\037s\"}, body = \"\\195\\169\"}")
			.contains("string.format(\"summary %d");
	}

	@Test
	void theOutputIsReadAsItIsPrinted() {
		WrkOutput output = WrkOutput.parse(List.of("Running 1s test", "summary 2000000 100 4 3 5 2 1 0.250000",
				"latency 1500 60", "latency 2500 40"));
		assertThat(output.counts()).isEqualTo(new Counts(111, 96, 4, 3, 5, 3, 0, 0));
		assertThat(output.seconds()).isEqualTo(2);
		assertThat(output.cpuSeconds()).isEqualTo(0.25);
		assertThat(output.latency().getTotalCount()).isEqualTo(100);
		assertThat(output.failures()).containsExactly("4 answers with a status above 399", "3 timeouts",
				"5 connections could not be opened", "3 connections failed");
		assertThat(WrkOutput.parse(List.of("unable to connect"))).isNull();
	}

	private WrkLoadEngine engine() {
		return new WrkLoadEngine(List.of(), this.directory);
	}

}
