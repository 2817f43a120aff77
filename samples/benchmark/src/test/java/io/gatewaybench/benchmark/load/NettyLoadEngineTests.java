package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static io.gatewaybench.benchmark.load.EngineFixture.ANY;
import static io.gatewaybench.benchmark.load.EngineFixture.OK;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static io.gatewaybench.benchmark.load.EngineFixture.closed;
import static io.gatewaybench.benchmark.load.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

class NettyLoadEngineTests {

	private final LoadEngine engine = NettyLoadSession::new;

	static Stream<Transport> transports() {
		return Stream.of(Transport.nio(), Transport.best());
	}

	@ParameterizedTest
	@MethodSource("transports")
	void theOpenModelSendsWhatTheScheduleSaysOnEveryTransport(Transport transport) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			LoadEngine chosen = (plan) -> new NettyLoadSession(plan, transport, () -> {
			});
			StageResult stage = Plans.builder(Model.OPEN)
				.port(server.port())
				.stage("measure", 500, 1_000)
				.send(chosen)
				.get("measure");
			assertAll(stage, Counts::ok);
			assertThat(stage.total().counts().intended()).isEqualTo(500);
			assertThat(stage.generator().lag().summary().count()).isEqualTo(500);
		}
	}

	@Test
	void aStallShowsInTheResponseTimeOfAllThatWaitedAndInTheServiceTimeOfFew() throws Exception {
		Object lock = new Object();
		try (StubServer server = new StubServer((exchange) -> {
			synchronized (lock) {
				if (exchange.number() == 20) {
					TimeUnit.MILLISECONDS.sleep(600);
				}
			}
			exchange.send(OK);
		})) {
			StageResult result = run(
					Plans.builder(Model.OPEN).port(server.port()).connections(2).stage("measure", 1_500, 200));
			assertAll(result, Counts::ok);
			Histogram service = result.total().latency().service().histogram();
			Histogram response = result.total().latency().response().histogram();
			// 120 requests were to start in the stall, 80 of them 200 ms before its end
			long limit = TimeUnit.MILLISECONDS.toNanos(200);
			assertThat(slower(response, limit)).isGreaterThanOrEqualTo(60);
			assertThat(slower(service, limit)).isBetween(1L, 20L);
			assertThat(result.generator().queued()).isGreaterThanOrEqualTo(60);
			assertThat(result.total().latency().slo().histogram()).isEqualTo(response);
		}
	}

	@Test
	void whatWaitsForAConnectionIsOfferedBeforeItIsSent() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			TimeUnit.MILLISECONDS.sleep(40);
			exchange.send(OK);
		})) {
			StageResult result = run(
					Plans.builder(Model.OPEN).port(server.port()).connections(1).stage("measure", 1_000, 50));
			assertAll(result, Counts::ok);
			assertThat(result.series().getFirst().offered()).isEqualTo(50);
			// One after the other, 40 ms each
			assertThat(result.series().getFirst().sent()).isBetween(1L, 26L);
			assertThat(result.series().stream().mapToLong(SecondSample::sent).sum()).isEqualTo(50);
			assertThat(result.series().getFirst().lagMs()).isNotNull();
		}
	}

	private static long slower(Histogram histogram, long nanos) {
		return histogram.getCountBetweenValues(nanos, histogram.getMaxValue());
	}

	@Test
	void whatDoesNotFitIntoTheQueueIsAborted() throws Exception {
		try (StubServer server = new StubServer(StubServer.Exchange::never)) {
			StageResult result = run(Plans.builder(Model.OPEN)
				.port(server.port())
				.connections(1)
				.timeout(100)
				.stage("measure", 400, 500));
			Counts counts = result.total().counts();
			assertThat(counts.intended()).isEqualTo(200);
			assertThat(counts.balanced()).isTrue();
			assertThat(counts.timeout()).isPositive();
			assertThat(counts.aborted()).isGreaterThan(100);
			assertThat(result.total().failures()).contains(
					"GET /data: 51 requests wait for one of 1 connections already",
					"GET /data: still under way when the drain of the stage was over");
		}
	}

	@Test
	void stagesKeepTheirConnectionsAndNothingIsSentBetweenThem() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			AtomicInteger seconds = new AtomicInteger();
			LoadPlan plan = Plans.builder(Model.CLOSED).port(server.port()).connections(3).build();
			try (LoadSession session = new NettyLoadSession(plan, Transport.best(), seconds::incrementAndGet)) {
				assertThat(server.connections()).isZero();
				session.run(closed("warm-up", 100));
				int requests = server.requests();
				await().during(Duration.ofMillis(50)).until(() -> server.requests() == requests);
				StageResult measured = session.run(closed("measure", 1_100));
				assertThat(measured.complete()).isTrue();
				assertThat(measured.generator().cpuSeconds()).isPositive();
				assertThat(measured.seconds()).isEqualTo(1.1);
				assertThat(measured.series()).hasSizeGreaterThanOrEqualTo(2);
				assertThat(measured.throughput()).isPositive();
				assertThat(server.connections()).isEqualTo(3);
				assertThat(seconds).hasValue(1);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Model.class)
	void anInterruptEndsTheStageKeepsWhatWasMeasuredAndEndsTheSession(Model model) throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			if (exchange.number() < 3) {
				exchange.send(OK);
			}
			else {
				exchange.never();
			}
		})) {
			Stage measure = new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(60),
					(model == Model.OPEN) ? 100 : 0, Arrivals.CONSTANT);
			AtomicReference<StageResult> result = new AtomicReference<>();
			AtomicReference<Boolean> interrupted = new AtomicReference<>();
			AtomicReference<Throwable> next = new AtomicReference<>();
			Thread runner = new Thread(() -> {
				try (LoadSession session = this.engine
					.open(Plans.builder(model).port(server.port()).timeout(60_000).build())) {
					result.set(session.run(measure));
					interrupted.set(Thread.interrupted());
					next.set(catchThrowable(() -> session.run(measure)));
				}
				catch (InterruptedException ex) {
					interrupted.set(false);
				}
			});
			runner.start();
			await().until(() -> server.requests() >= 5);
			runner.interrupt();
			assertThat(runner.join(Duration.ofSeconds(10))).isTrue();
			assertThat(interrupted.get()).isTrue();
			StageResult stage = result.get();
			assertThat(stage.complete()).isFalse();
			assertThat(stage.balanced()).isTrue();
			assertThat(stage.total().counts().ok()).isEqualTo(3);
			assertThat(stage.total().counts().aborted()).isGreaterThanOrEqualTo(2);
			assertThat(stage.seconds()).isLessThan(60);
			assertThat(stage.total().failures())
				.containsExactly("GET /data: still under way when the stage was cut short");
			assertThat(next.get()).isInstanceOf(BenchFailure.class).hasMessageContaining("no further stage");
		}
	}

	@Test
	void anInterruptBeforeTheFirstRequestIsAnEmptyResult() throws Exception {
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = this.engine.open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
			Thread.currentThread().interrupt();
			StageResult result = session.run(closed("measure", 60_000));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(result.complete()).isFalse();
			assertThat(result.balanced()).isTrue();
			assertThat(result.seconds()).isLessThan(60);
		}
	}

	@Test
	void whatWasCutShortIsNotTakenForWhole() {
		StageResult cut = new StageResult("measure", Stage.Kind.MEASURE, Instant.EPOCH, 1, false, List.of(), List.of(),
				new GeneratorStats(LatencyHistogram.empty(), 0, 0, 0, List.of()));
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(cut::whole)
			.withMessageContaining("ended early in stage 'measure'");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(cut::whole);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void aStageUsesAsManyConnectionsAsItSays() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			TimeUnit.MILLISECONDS.sleep(10);
			exchange.send(OK);
		})) {
			Map<String, StageResult> results = Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(20)
				.stage("many", 200)
				.stage(Plans.on(4, closed("few", 300)))
				.stage("many again", 200)
				.send(this.engine);
			assertThat(results.values()).allSatisfy((stage) -> assertAll(stage, Counts::ok));
			// 4 users cannot have more than 30 answers each in 300 ms
			assertThat(results.get("few").total().counts().ok()).isBetween(4L, 124L);
			// Those that a stage does not use stay open
			assertThat(server.connections()).isEqualTo(20);
		}
	}

	@Test
	void aStageSendsItsOwnRequestsOrThoseOfTheWorkload() throws Exception {
		RequestType all = new RequestType("all", 1, "GET", List.of("/all"), Map.of(), null, ANY);
		RequestType own = new RequestType("own", 1, "GET", List.of("/own"), Map.of(), null, ANY);
		List<String> paths = new CopyOnWriteArrayList<>();
		try (StubServer server = new StubServer((exchange) -> {
			paths.add(exchange.path());
			exchange.send(OK);
		});
				LoadSession session = this.engine
					.open(Plans.builder(Model.CLOSED).port(server.port()).mix(all).connections(2).build())) {
			StageResult first = session.run(new Stage("own", Stage.Kind.MEASURE, Duration.ZERO, Duration.ofMillis(100),
					0, Arrivals.CONSTANT, List.of(), 0, 0, List.of(own)));
			assertThat(first.types()).extracting(TypeResult::type).containsExactly("own");
			assertThat(paths).isNotEmpty().containsOnly("/own");
			paths.clear();
			StageResult second = session.run(closed("all", 100));
			assertThat(second.types()).extracting(TypeResult::type).containsExactly("all");
			assertThat(paths).isNotEmpty().containsOnly("/all");
		}
	}

	@Test
	void aMeasurementHasTheSameRequestsHoweverLongTheWarmUpIs() throws Exception {
		assertThat(pathsOfTheMeasurement(0)).isEqualTo(pathsOfTheMeasurement(3)).hasSizeGreaterThan(20);
	}

	private List<String> pathsOfTheMeasurement(int warmUps) throws Exception {
		RequestType type = new RequestType("data", 1, "GET", List.of("/1", "/2", "/3", "/4"), Map.of(), null, ANY);
		List<String> paths = new CopyOnWriteArrayList<>();
		AtomicBoolean measuring = new AtomicBoolean();
		try (StubServer server = new StubServer((exchange) -> {
			if (measuring.get()) {
				paths.add(exchange.path());
			}
			exchange.send(OK);
		});
				LoadSession session = this.engine
					.open(Plans.builder(Model.OPEN).port(server.port()).mix(type).connections(1).build())) {
			for (int i = 0; i < warmUps; i++) {
				session.run(open("warm-up", Stage.Kind.WARMUP));
			}
			measuring.set(true);
			assertAll(session.run(open("measure", Stage.Kind.MEASURE)), Counts::ok);
			return List.copyOf(paths);
		}
	}

	@Test
	void aSessionThatIsClosedHasNoConnectionAndNoThread() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Set<Thread> before = Thread.getAllStackTraces().keySet();
			LoadSession session = this.engine
				.open(Plans.builder(Model.CLOSED).port(server.port()).connections(3).build());
			session.run(closed("measure", 50));
			assertThat(server.open()).isEqualTo(3);
			session.close();
			session.close();
			await().until(() -> server.open() == 0);
			// Netty tells that a group has ended from the last step of its thread, not
			// after it
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.contains("LoopGroup")));
			assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> session.run(closed("late", 50)));
		}
	}

	private static Stage open(String name, Stage.Kind kind) {
		return new Stage(name, kind, Duration.ofMillis(250), 100, Arrivals.CONSTANT);
	}

}
