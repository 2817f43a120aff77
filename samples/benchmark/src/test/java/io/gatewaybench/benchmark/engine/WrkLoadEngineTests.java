package io.gatewaybench.benchmark.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

class WrkLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	@TempDir
	private Path directory;

	@Test
	void aClosedLoopIsSentAndAccountedFor() throws Exception {
		assumeThat(WrkLoadEngine.isInstalled()).as("wrk is installed").isTrue();
		try (StubServer server = StubServer.answering(OK)) {
			List<ProgressEvent> events = new ArrayList<>();
			LoadPlan plan = Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(3)
				.stage("warm up", 1_000)
				.stage("measure", 1_000)
				.build();
			LoadResult result = engine().run(plan, events::add);
			assertThat(result.complete()).isTrue();
			StageResult measured = result.stage("measure");
			assertThat(measured.balanced()).isTrue();
			assertThat(measured.total().counts().ok()).isPositive().isLessThanOrEqualTo(server.requests());
			assertThat(measured.total().counts().failed()).isZero();
			assertThat(measured.total().latency().service().summary().meanMs()).isPositive();
			assertThat(measured.seconds()).isGreaterThanOrEqualTo(1);
			assertThat(server.mostInFlight()).isLessThanOrEqualTo(3);
			assertThat(events).extracting(ProgressEvent::stage)
				.containsExactly("warm up", "warm up", "measure", "measure");
			assertThat(new LoadFiles(this.directory.resolve("test")).readResult()).isEqualTo(result);
		}
	}

	@Test
	void answersWithAnErrorAreNotGood() throws Exception {
		assumeThat(WrkLoadEngine.isInstalled()).as("wrk is installed").isTrue();
		try (StubServer server = StubServer.answering("HTTP/1.1 503 Busy~Content-Length: 0~~")) {
			LoadPlan plan = Plans.builder(Model.CLOSED).port(server.port()).stage("measure", 1_000).build();
			TypeResult total = engine().run(plan, (event) -> {
			}).stage("measure").total();
			assertThat(total.counts().ok()).isZero();
			assertThat(total.counts().httpError()).isPositive();
			assertThat(total.failures()).singleElement().asString().endsWith("answers with a status above 399");
		}
	}

	@Test
	void anOpenLoadIsRefused() {
		LoadPlan plan = Plans.builder(Model.OPEN).port(1).stage("measure", 300, 100).build();
		assertThatExceptionOfType(LoadEngineException.class).isThrownBy(() -> engine().run(plan, (event) -> {
		})).withMessageContaining("closed loops");
	}

	@Test
	void theScriptSendsAnyTextAsItIs() {
		RequestType type = new RequestType("odd", 2.5, "POST", List.of("/a?b=\"c\\"), Map.of("X-A", "%s"), "é",
				new Expectation(200, 0, null));
		assertThat(WrkScript.of(Plans.builder(Model.CLOSED).mix(type).stage("measure", 1_000).build()))
			.contains("{weight = 2.5, method = \"POST\", paths = {\"/a\\063b\\061\\034c\\092\"}, "
					+ "headers = {[\"X-A\"] = \"\\037s\"}, body = \"\\195\\169\"}")
			.contains("string.format(\"summary %d");
	}

	@Test
	void theOutputIsReadAsItIsPrinted() {
		WrkOutput output = WrkOutput.parse(List.of("Running 1s test", "summary 2000000 100 4 3 0 2 1 0.250000",
				"latency 1500 60", "latency 2500 40"));
		assertThat(output.counts()).isEqualTo(new Counts(106, 96, 4, 3, 3, 0, 0));
		assertThat(output.seconds()).isEqualTo(2);
		assertThat(output.cpuSeconds()).isEqualTo(0.25);
		assertThat(output.latency().getTotalCount()).isEqualTo(100);
		assertThat(output.failures()).containsExactly("4 answers with a status above 399", "3 timeouts",
				"3 errors of connections");
		assertThat(WrkOutput.parse(List.of("unable to connect"))).isNull();
	}

	private WrkLoadEngine engine() {
		return new WrkLoadEngine(List.of(), this.directory);
	}

}
