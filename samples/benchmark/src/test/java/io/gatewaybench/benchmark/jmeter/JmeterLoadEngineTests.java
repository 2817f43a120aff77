package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadResult;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Plans;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.StubServer;
import io.gatewaybench.benchmark.load.TypeResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

class JmeterLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	private static final Stage TEN_MINUTES = Stage.closed("long", Stage.Kind.MEASURE, Duration.ofMinutes(10));

	@TempDir
	private static Path keys;

	// For all tests that leave them as they are
	private static Agent first;

	private static Agent second;

	@TempDir
	private Path directory;

	@BeforeAll
	static void startAgents() throws Exception {
		assumeThat(Jmeter.missing() == null || System.getenv("JMETER_HOME") != null).as("JMETER_HOME names a JMeter")
			.isTrue();
		first = agent();
		second = agent();
	}

	@AfterAll
	static void endAgents() {
		Stream.of(first, second).filter(Objects::nonNull).forEach(Agent::close);
	}

	@Test
	void withoutAgentsThisMachineSends() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Map<String, StageResult> results = Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(3)
				.mix(type("read", 3), type("write", 1))
				.warmup("warm up", 1_000)
				.stage("measure", 2_000)
				.send(engine(List.of(), this.directory));
			StageResult measured = results.get("measure");
			assertThat(measured.complete()).isTrue();
			assertThat(measured.balanced()).isTrue();
			Counts counts = measured.total().counts();
			assertThat(counts.ok()).isPositive().isLessThanOrEqualTo(server.requests());
			assertThat(counts.failed()).isZero();
			assertThat(measured.types()).extracting(TypeResult::type).containsExactly("read", "write");
			assertThat(measured.types().getFirst().counts().intended() / (double) counts.intended()).isCloseTo(0.75,
					within(0.1));
			assertThat(measured.seconds()).isEqualTo(2);
			assertThat(measured.generator().cpuSeconds()).isPositive();
			assertThat(measured.generator().agents()).singleElement()
				.satisfies((agent) -> assertThat(agent.sent()).isEqualTo(counts.intended()))
				.satisfies((agent) -> assertThat(agent.clockMs()).isZero());
			assertThat(server.mostInFlight()).isLessThanOrEqualTo(3);
			LoadResult written = new LoadFiles(this.directory.resolve("test")).readResult();
			assertThat(written.stages()).isEqualTo(List.copyOf(results.values()));
			await().until(() -> server.open() == 0);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void oneProcessPlaysAllStagesOfASession(boolean agents) throws Exception {
		List<InetSocketAddress> all = agents ? List.of(first.address(), second.address()) : List.of();
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession session = engine(all, this.directory).open(plan(server.port()));
			ProcessHandle process = ProcessHandle.of(session.pid()).orElseThrow();
			for (String stage : List.of("one", "two", "three")) {
				StageResult result = session.run(Stage.closed(stage, Stage.Kind.MEASURE, Duration.ofSeconds(1)));
				assertThat(result.complete()).isTrue();
				assertThat(result.total().counts().ok()).isPositive();
				assertThat(result.total().counts().failed()).isZero();
				assertThat(process.isAlive()).isTrue();
			}
			session.close();
			assertThat(process.isAlive()).isFalse();
		}
	}

	@Test
	@Timeout(100)
	void aStageOfTheOpenModelEndsWithItsLastResponse() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult measured = Plans.builder(Model.OPEN)
				.port(server.port())
				.timeout(120_000)
				.stage("measure", 1_000, 20)
				.send(engine(List.of(), this.directory))
				.get("measure");
			assertThat(measured.complete()).isTrue();
			assertThat(measured.total().counts()).isEqualTo(new Counts(20, 20, 0, 0, 0, 0, 0, 0));
		}
	}

	@Test
	void agentsShareARate() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult measured = Plans.builder(Model.OPEN)
				.port(server.port())
				.timeout(5_000)
				.stage("measure", 3_000, 100)
				.send(engine(List.of(first.address(), second.address()), this.directory))
				.get("measure");
			assertThat(measured.total().counts()).isEqualTo(new Counts(300, 300, 0, 0, 0, 0, 0, 0));
			assertThat(measured.generator().agents()).extracting(AgentResult::agent)
				.containsExactly(Jmeter.name(first.address()), Jmeter.name(second.address()));
			assertThat(measured.generator().agents()).extracting(AgentResult::sent).containsExactly(150L, 150L);
			assertThat(measured.generator().agents()).extracting(AgentResult::planned).containsExactly(150.0, 150.0);
		}
	}

	@ParameterizedTest
	@CsvSource({ "KILL, JMeter ended with exit code 137", "STOP, JMeter is silent" })
	void aJmeterThatEndsOrStandsStillEndsTheRun(String signal, String message) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession session = engine(List.of(), this.directory).open(plan(server.port()));
			ProcessHandle process = ProcessHandle.of(session.pid()).orElseThrow();
			Thread.startVirtualThread(() -> {
				await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 1_000);
				send(signal, process);
			});
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(TEN_MINUTES))
				.withMessageContaining(message);
			session.close();
			assertThat(process.isAlive()).isFalse();
			await().until(() -> server.open() == 0);
		}
	}

	@ParameterizedTest
	@EnumSource(Model.class)
	void aTargetThatStopsAnsweringIsToldAsTimeouts(Model model) throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			if (exchange.number() >= 10) {
				exchange.never();
			}
			exchange.send(OK);
		})) {
			Stage stage = (model == Model.OPEN)
					? new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3), 20, Arrivals.CONSTANT)
					: Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(3));
			StageResult measured = Plans.builder(model)
				.port(server.port())
				.connections(4)
				.timeout(1_000)
				.stage(stage)
				.send(engine(List.of(), this.directory))
				.get("measure");
			Counts counts = measured.total().counts();
			assertThat(counts.ok()).isEqualTo(10);
			assertThat(counts.timeout()).isEqualTo(counts.intended() - 10).isGreaterThanOrEqualTo(4);
			assertThat(measured.total().failures()).singleElement().asString().contains("SocketTimeoutException");
			if (model == Model.OPEN) {
				assertThat(counts.intended()).isEqualTo(60);
			}
		}
	}

	@Test
	void usersOfAgentsSendTheirIterations() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult measured = Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(4)
				.stage(Plans.iterations(TEN_MINUTES, 25))
				.send(engine(List.of(first.address(), second.address()), this.directory))
				.get("long");
			assertThat(measured.total().counts().ok()).isEqualTo(100);
			assertThat(measured.seconds()).isPositive().isLessThan(60);
		}
	}

	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void anAgentThatIsKilledIsNamed() throws Exception {
		try (StubServer server = StubServer.answering(OK); Agent other = agent(); Agent killed = agent()) {
			LoadSession session = engine(List.of(other.address(), killed.address()), this.directory)
				.open(plan(server.port()));
			Thread.startVirtualThread(() -> {
				await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 100);
				killed.close();
			});
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(TEN_MINUTES))
				.withMessageContaining("the agent " + Jmeter.name(killed.address()) + " is gone");
			session.close();
			assertThat(new LoadFiles(this.directory.resolve("test")).readResult().stages()).isEmpty();
		}
	}

	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void anAgentThatStandsStillIsNamed() throws Exception {
		try (StubServer server = StubServer.answering(OK); Agent agent = agent()) {
			LoadSession session = engine(List.of(agent.address()), this.directory).open(plan(server.port()));
			Thread.startVirtualThread(() -> {
				await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 100);
				stop(agent.address().getPort());
			});
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(TEN_MINUTES))
				.withMessageContaining("the agent " + Jmeter.name(agent.address()) + " is silent");
			session.close();
		}
	}

	@Test
	void sessionsOfARunTakeTurnsAtAnAgent() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadEngine engine = engine(List.of(first.address()), this.directory);
			List<Callable<StageResult>> runs = new ArrayList<>();
			LoadPlan plan = plan(server.port());
			for (String id : List.of("one", "two", "three")) {
				runs.add(() -> {
					LoadSession session = engine
						.open(new LoadPlan(id, plan.target(), plan.workload(), plan.timeouts(), plan.seed()));
					try {
						return session.run(Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(4)));
					}
					finally {
						session.close();
					}
				});
			}
			try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
				assertThat(executor.invokeAll(runs)).extracting(Future::resultNow)
					.allSatisfy((result) -> assertThat(result.total().counts().ok()).isPositive());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anInterruptEndsWhatSends(boolean agents) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession session = engine(agents ? List.of(first.address()) : List.of(), this.directory)
				.open(plan(server.port()));
			ProcessHandle process = ProcessHandle.of(session.pid()).orElseThrow();
			Thread running = Thread.currentThread();
			Thread.startVirtualThread(() -> {
				await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 100);
				running.interrupt();
			});
			StageResult cut = session.run(TEN_MINUTES);
			assertThat(Thread.interrupted()).isTrue();
			assertThat(cut.complete()).isFalse();
			assertThat(cut.total().counts().ok()).isPositive();
			session.close();
			assertThat(process.isAlive()).isFalse();
			await().until(() -> server.open() == 0);
		}
	}

	@Test
	void anAgentWithAnotherKeyIsNotUsed() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Path other = this.directory.resolve("other.jks");
			AgentKey.create(other);
			LoadSession session = engine(List.of(first.address()), this.directory, other).open(plan(server.port()));
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(TEN_MINUTES))
				.withMessageContaining(
						"the agent " + Jmeter.name(first.address()) + " did not begin: it has another key");
			session.close();
			assertThat(server.requests()).isZero();
		}
	}

	@Test
	void anAgentThatDoesNotRunIsNamed() throws Exception {
		InetSocketAddress nobody = new InetSocketAddress("127.0.0.1", freePort());
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> engine(List.of(nobody), this.directory).open(plan(1)))
			.withMessage("the agent 127.0.0.1:%d does not answer; start it on that host with: ./bench agent",
					nobody.getPort());
	}

	@Test
	void anAgentThatServesAnotherRunIsNotUsed() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadSession one = engine(List.of(first.address()), this.directory.resolve("one")).open(plan(server.port()));
			LoadSession two = engine(List.of(first.address()), this.directory.resolve("two")).open(plan(server.port()));
			Thread running = Thread.startVirtualThread(() -> {
				try {
					one.run(TEN_MINUTES);
				}
				catch (InterruptedException ex) {
					// As told
				}
			});
			await().atMost(Duration.ofMinutes(1)).until(() -> server.requests() > 100);
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> two.run(TEN_MINUTES))
				.withMessageContaining("the agent " + Jmeter.name(first.address()) + " did not begin");
			running.interrupt();
			running.join();
			one.close();
			two.close();
		}
	}

	@Test
	void aKeyThatOthersCanReadIsRefused() throws Exception {
		Path key = this.directory.resolve("other.jks");
		AgentKey.create(key);
		Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", freePort());
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> new JmeterAgent(address, key))
			.withMessageContaining("can be read by others");
	}

	@Test
	void usersThatCannotBeDividedAreRefused() {
		Stage three = Plans.on(3, TEN_MINUTES);
		assertThat(JmeterLoadEngine.objection(plan(1).workload(), three, 2))
			.startsWith("can't divide 3 users among 2 agents");
		assertThat(JmeterLoadEngine.objection(plan(1).workload(), three, 3)).isNull();
	}

	@Test
	void aKeyIsNotReplacedAndReadableByItsOwnerOnly() throws Exception {
		Path key = key();
		assertThat(Files.getPosixFilePermissions(key)).extracting(Enum::name)
			.containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> AgentKey.create(key))
			.withMessageContaining("is there already");
	}

	private static LoadPlan plan(int port) {
		return Plans.builder(Model.CLOSED).port(port).connections(2).timeout(1_000).build();
	}

	private static RequestType type(String name, double weight) {
		return new RequestType(name, weight, "GET", List.of("/" + name), Map.of(), null, new Expectation(200, 5, null));
	}

	private static LoadEngine engine(List<InetSocketAddress> agents, Path files) throws Exception {
		return engine(agents, files, agents.isEmpty() ? files : key());
	}

	private static LoadEngine engine(List<InetSocketAddress> agents, Path files, Path key) {
		return new JmeterLoadEngine(files, List.of(), agents, key);
	}

	private static Path key() throws Exception {
		Path key = keys.resolve("key.jks");
		if (!Files.exists(key)) {
			AgentKey.create(key);
		}
		return key;
	}

	private static Agent agent() throws Exception {
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", freePort());
		return new Agent(address, new JmeterAgent(address, key()));
	}

	private record Agent(InetSocketAddress address, JmeterAgent running) implements AutoCloseable {

		@Override
		public void close() {
			this.running.close();
		}

	}

	// An agent takes two ports, one after the other, and seconds until it does. So they
	// are none of those that the system gives away in the meantime
	private static int freePort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket one = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
					ServerSocket next = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
				return port;
			}
			catch (BindException ex) {
				// One is taken
			}
		}
	}

	private static void stop(int port) {
		ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().commandLine().orElse("").contains("java"))
			.filter((process) -> process.info().commandLine().orElse("").contains("-Jserver_port=" + port))
			.forEach((process) -> send("STOP", process));
	}

	private static void send(String signal, ProcessHandle process) {
		assertThatNoException()
			.isThrownBy(() -> new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor());
	}

}
