package io.gatewaybench.benchmark.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class NettyLoadEngineTests {

	private static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	private static final Expectation ANY = new Expectation(200, 0, null);

	private static final Consumer<Progress> NOBODY = (second) -> {
	};

	private final NettyLoadEngine engine = new NettyLoadEngine();

	@ParameterizedTest
	@ValueSource(strings = { OK, "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0~~",
			"HTTP/1.1 200 OK~Content-Length: 5~Connection: close~~hello", "HTTP/1.0 200 OK~Content-Length: 5~~hello" })
	void rightResponsesAreCountedAsOkInBothModels(String response) throws Exception {
		for (Model model : Model.values()) {
			try (StubServer server = StubServer.answering(response)) {
				Plans plan = plan(model, server.port(), ANY);
				StageResult result = run(plan);
				TypeResult total = result.total();
				assertThat(total.failures()).isEmpty();
				assertAll(result, Counts::ok);
				assertThat(total.statuses()).containsOnlyKeys(200);
				assertThat(server.requests()).isEqualTo((int) total.counts().intended());
				// The server may have accepted what the generator did not hear of before
				// the end
				int opened = (int) result.generator().connectionsOpened();
				assertThat(server.connections()).isBetween(opened, opened + plan.build().workload().connections());
			}
		}
	}

	@Test
	void aBodyThatEndsWithTheConnectionIsRight() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			exchange.send("HTTP/1.1 200 OK~~hello");
			exchange.close();
		})) {
			StageResult result = run(plan(Model.CLOSED, server.port(), new Expectation(200, 5, null)));
			assertAll(result, Counts::ok);
			assertThat(result.generator().reconnects()).isPositive();
		}
	}

	@Test
	void aResponseThatComesByteByByteIsRight() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			for (byte each : StubServer.bytes(OK)) {
				exchange.send(new byte[] { each });
			}
		})) {
			assertAll(run(plan(Model.CLOSED, server.port(), new Expectation(200, 5, null))), Counts::ok);
		}
	}

	@Test
	void theAnswerToHeadIsRight() throws Exception {
		RequestType head = new RequestType("head", 1, "HEAD", List.of("/"), Map.of(), null, ANY);
		try (StubServer server = StubServer.answering("HTTP/1.1 200 OK~Content-Length: 5~~")) {
			assertAll(run(Plans.builder(Model.CLOSED).port(server.port()).mix(head).stage("measure", 100)), Counts::ok);
		}
	}

	static Stream<Arguments> faults() {
		String field = "\"_gateway\":{\"type\":\"%s\",\"timestamp\":%d,\"processed\":true}";
		Expectation flux = new Expectation(200, 0, "WebFlux");
		long now = System.currentTimeMillis();
		return Stream.of(fault("503", ANY, Counts::httpError, "expected status 200, got 503", (exchange) -> {
			exchange.send("HTTP/1.1 503 Service Unavailable~Content-Length: 0~~");
		}), fault("reset", ANY, Counts::reset, "", StubServer.Exchange::reset),
				fault("close before the response", ANY, Counts::reset, "the connection was closed before the response",
						StubServer.Exchange::close),
				fault("close in the head", ANY, Counts::reset, "in the middle of the response, after 0 bytes",
						(exchange) -> {
							exchange.send("HTTP/1.1 200 OK~Conte");
							exchange.close();
						}),
				fault("close in the body", ANY, Counts::reset, "in the middle of the response, after 2 bytes",
						(exchange) -> {
							exchange.send("HTTP/1.1 200 OK~Content-Length: 5~~he");
							exchange.close();
						}),
				fault("close in a chunk", ANY, Counts::reset, "in the middle of the response, after 2 bytes",
						(exchange) -> {
							exchange.send("HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~he");
							exchange.close();
						}),
				fault("not HTTP", ANY, Counts::reset, "not HTTP/1.1: it begins with 'SSH-2.0'",
						(exchange) -> exchange.send("SSH-2.0~")),
				fault("never", ANY, Counts::timeout, "no response in time", StubServer.Exchange::never),
				fault("never complete", ANY, Counts::timeout, "only 2 bytes of its body", (exchange) -> {
					exchange.send("HTTP/1.1 200 OK~Content-Length: 5~~he");
					exchange.never();
				}),
				fault("short body", new Expectation(200, 6, null), Counts::wrongBody,
						"expected a body of 6 bytes at least, got 5", (exchange) -> exchange.send(OK)),
				fault("no field", flux, Counts::wrongBody, "does not end with the _gateway field",
						(exchange) -> exchange.send(OK)),
				fault("field of another type", flux, Counts::wrongBody, "is not of type WebFlux",
						(exchange) -> exchange.send(json("{" + field.formatted("WebMVC", now) + "}"))),
				fault("field not last", flux, Counts::wrongBody, "does not end with the _gateway field",
						(exchange) -> exchange.send(json("{" + field.formatted("WebFlux", now) + ",\"a\":1}"))),
				fault("stale timestamp", flux, Counts::wrongBody, "more than 5 minutes off",
						(exchange) -> exchange.send(json("{" + field.formatted("WebFlux", now - 400_000) + "}"))));
	}

	private static Arguments fault(String name, Expectation expectation, ToLongFunction<Counts> outcome, String reason,
			StubServer.Answer answer) {
		return arguments(name, expectation, outcome, reason, answer);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("faults")
	void everyFaultIsAccountedForInBothModels(String name, Expectation expectation, ToLongFunction<Counts> outcome,
			String reason, StubServer.Answer answer) throws Exception {
		for (Model model : Model.values()) {
			try (StubServer server = new StubServer(answer)) {
				StageResult result = run(plan(model, server.port(), expectation));
				assertAll(result, outcome);
				TypeResult total = result.total();
				assertThat(total.failures()).isNotEmpty()
					.allSatisfy((failure) -> assertThat(failure).startsWith("GET /data: ").contains(reason));
				assertThat(total.latency().service().summary().count()).isZero();
				assertThat(total.latency().response().summary().count()).isZero();
				assertThat(total.latency().slo().summary().count()).isEqualTo(total.counts().intended());
				assertThat(total.latency().slo().histogram().getMinValue())
					.isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(249));
				assertThat(result.throughput()).isZero();
			}
		}
	}

	@Test
	void theOutcomesOfAMixtureOfFaultsAddUp() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			switch (exchange.number() % 10) {
				case 1 -> exchange.reset();
				case 3 -> exchange.send("HTTP/1.1 500 Oops~Content-Length: 0~~");
				case 5 -> exchange.send("HTTP/1.1 200 OK~Content-Length: 1~~x");
				case 7 -> exchange.close();
				default -> exchange.send(OK);
			}
		})) {
			StageResult result = run(Plans.builder(Model.OPEN)
				.port(server.port())
				.mix(Plans.get(new Expectation(200, 5, null)))
				.connections(8)
				.stage("measure", 500, 400));
			Counts counts = result.total().counts();
			assertThat(counts).isEqualTo(new Counts(200, 120, 20, 0, 0, 40, 20, 0));
			assertThat(result.balanced()).isTrue();
			assertThat(result.total().statuses()).isEqualTo(Map.of(200, 140L, 500, 20L));
			assertThat(result.series().stream().mapToLong(SecondSample::offered).sum()).isEqualTo(200);
			assertThat(result.series().stream().mapToLong(SecondSample::ok).sum()).isEqualTo(120);
			assertThat(result.series().stream().mapToLong(SecondSample::errors).sum()).isEqualTo(80);
		}
	}

	@Test
	void aResponseWithABodyThatIsRightForItsGatewayIsOk() throws Exception {
		try (StubServer server = new StubServer(
				(exchange) -> exchange.send(json("{\"a\":1,\"_gateway\":{\"type\":\"WebMVC\",\"timestamp\":"
						+ System.currentTimeMillis() + ",\"processed\":true}}")))) {
			assertAll(run(plan(Model.CLOSED, server.port(), new Expectation(200, 50, "WebMVC"))), Counts::ok);
		}
	}

	@Test
	void theClosedModelHasNoMoreRequestsInFlightThanUsers() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			TimeUnit.MILLISECONDS.sleep(10);
			exchange.send(OK);
		})) {
			StageResult result = run(
					Plans.builder(Model.CLOSED).port(server.port()).connections(7).stage("measure", 300));
			assertAll(result, Counts::ok);
			assertThat(server.mostInFlight()).isEqualTo(7);
			assertThat(server.connections()).isEqualTo(7);
		}
	}

	@Test
	void usersThinkBetweenTheirRequests() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(3)
				.thinkTime(100)
				.stage("measure", 350));
			assertAll(result, Counts::ok);
			assertThat(result.total().counts().intended()).isBetween(3L, 12L);
		}
	}

	@Test
	void usersWhoThinkBeginOneAfterTheOther() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(100)
				.thinkTime(60_000)
				.stage("measure", 500));
			assertAll(result, Counts::ok);
			// One every 600 ms, although none has to wait
			assertThat(result.total().counts().intended()).isEqualTo(1);
		}
	}

	@Test
	void aStageWithIterationsIsOverWhenEveryUserHasSentAllItsRequests() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(
					Plans.builder(Model.CLOSED).port(server.port()).connections(100).stage(iterations(60_000, 3)));
			assertAll(result, Counts::ok);
			assertThat(result.total().counts().intended()).isEqualTo(300);
			assertThat(server.requests()).isEqualTo(300);
			assertThat(server.connections()).isEqualTo(100);
			assertThat(result.seconds()).isLessThan(60);
			assertThat(result.throughput()).isCloseTo(300 / result.seconds(), within(1e-6));
		}
	}

	@Test
	void aUserThatHasSentAllItsRequestsLeaves() throws Exception {
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = this.engine
					.open(Plans.builder(Model.CLOSED).port(server.port()).connections(3).build())) {
			assertAll(session.run(iterations(60_000, 2), NOBODY), Counts::ok);
			await().until(() -> server.open() == 0);
			StageResult next = session.run(closed("next", 100), NOBODY);
			assertAll(next, Counts::ok);
			assertThat(next.generator().connectionsOpened()).isEqualTo(3);
		}
	}

	@Test
	void aRequestThatFailsIsOneOfTheIterationsOfItsUser() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			switch (exchange.number() % 4) {
				case 0 -> exchange.reset();
				case 1 -> exchange.send("HTTP/1.1 500 Oops~Content-Length: 0~~");
				default -> exchange.send(OK);
			}
		})) {
			StageResult result = run(
					Plans.builder(Model.CLOSED).port(server.port()).connections(8).stage(iterations(60_000, 10)));
			assertThat(result.total().counts()).isEqualTo(new Counts(80, 40, 20, 0, 0, 20, 0, 0));
		}
		StageResult refused = run(
				Plans.builder(Model.CLOSED).port(deadPort()).connections(2).stage(iterations(60_000, 3)));
		assertAll(refused, Counts::refused);
		assertThat(refused.total().counts().intended()).isEqualTo(6);
	}

	@Test
	void aStageWithIterationsIsOverAfterItsDurationAnyway() throws Exception {
		try (StubServer server = new StubServer(StubServer.Exchange::never)) {
			StageResult result = run(Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(2)
				.timeout(100)
				.stage(iterations(250, 1_000)));
			assertAll(result, Counts::timeout);
			assertThat(result.total().counts().intended()).isBetween(2L, 6L);
			assertThat(result.seconds()).isEqualTo(0.25);
		}
	}

	@Test
	void noUserThinksAfterItsLastRequest() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(
					Plans.builder(Model.CLOSED).port(server.port()).thinkTime(10_000).stage(iterations(50_000, 1)));
			assertAll(result, Counts::ok);
			// They begin at any moment of the first think time, and so end within it
			assertThat(result.seconds()).isLessThan(10);
		}
	}

	@Test
	void progressTellsHowMuchOfTheIterationsIsOver() throws Exception {
		List<Progress> told = new ArrayList<>();
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = this.engine
					.open(Plans.builder(Model.CLOSED).port(server.port()).connections(1).thinkTime(400).build())) {
			session.run(iterations(60_000, 4), told::add);
		}
		assertThat(told).isNotEmpty();
		assertThat(told.getFirst().done()).isEqualTo(told.getFirst().ok() / 4.0).isPositive();
	}

	static Stream<Transport> transports() {
		return Stream.of(Transport.nio(), Transport.best());
	}

	@ParameterizedTest
	@MethodSource("transports")
	void theOpenModelSendsWhatTheScheduleSaysOnEveryTransport(Transport transport) throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			NettyLoadEngine chosen = new NettyLoadEngine(transport);
			StageResult stage = Plans.builder(Model.OPEN)
				.port(server.port())
				.stage("measure", 500, 1_000)
				.send(chosen)
				.get("measure");
			assertAll(stage, Counts::ok);
			assertThat(stage.total().counts().intended()).isEqualTo(500);
			assertThat(stage.generator().lag().summary().count()).isEqualTo(500);
			try (LoadSession session = chosen.open(Plans.builder(Model.OPEN).build())) {
				assertThat(session.engine()).isEqualTo("embedded/" + transport.name());
			}
		}
	}

	@Test
	void aServerThatClosesEveryConnectionAtOnceIsNotStormed() throws Exception {
		AtomicInteger accepted = new AtomicInteger();
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			Thread.startVirtualThread(() -> {
				try {
					while (true) {
						server.accept().close();
						accepted.incrementAndGet();
					}
				}
				catch (IOException ex) {
					// The test is over
				}
			});
			StageResult result = run(Plans.builder(Model.OPEN).port(server.getLocalPort()).stage("measure", 400, 100));
			assertAll(result, Counts::reset);
			// 10, 20, 40, ... ms on two connections, and at most one more per request
			assertThat(accepted.get()).isLessThan(60);
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
			assertThat(result.generator().longestQueue()).isGreaterThanOrEqualTo(60);
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

	@Test
	void usersSendWhatTheyOfferAndAreNeverLate() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(Plans.builder(Model.CLOSED).port(server.port()).stage("measure", 1_100));
			assertAll(result, Counts::ok);
			assertThat(result.series()).hasSizeGreaterThanOrEqualTo(2).allSatisfy((second) -> {
				assertThat(second.sent()).isEqualTo(second.offered());
				assertThat(second.lagMs()).isNull();
			});
			assertThat(result.series().getFirst().sent()).isPositive();
		}
	}

	@Test
	void whatIsRefusedIsNotSent() throws Exception {
		StageResult result = run(Plans.builder(Model.OPEN).port(deadPort()).stage("measure", 300, 100));
		assertAll(result, Counts::refused);
		assertThat(result.series().getFirst().offered()).isEqualTo(30);
		assertThat(result.series()).extracting(SecondSample::sent).containsOnly(0L);
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
			assertThat(result.generator().longestQueue()).isEqualTo(51);
			assertThat(result.total().failures()).contains(
					"GET /data: 51 requests wait for one of 1 connections already",
					"GET /data: still under way when the drain of the stage was over");
		}
	}

	@Test
	void aDeadPortIsTriedLessAndLessOftenInTheClosedModel() throws Exception {
		StageResult result = run(Plans.builder(Model.CLOSED).port(deadPort()).connections(2).stage("measure", 500));
		assertAll(result, Counts::refused);
		// 10, 20, 40, ... ms: six pauses are longer than the stage
		assertThat(result.total().counts().intended()).isBetween(2L, 12L);
		assertThat(result.total().failures()).isNotEmpty()
			.allSatisfy((failure) -> assertThat(failure).startsWith("GET /data: no connection: Connection refused")
				.doesNotContain("Exception"));
	}

	@Test
	void aDeadPortFailsEveryRequestOfTheOpenModel() throws Exception {
		StageResult result = run(Plans.builder(Model.OPEN).port(deadPort()).stage("measure", 300, 100));
		assertAll(result, Counts::refused);
		assertThat(result.total().counts().intended()).isEqualTo(30);
	}

	@Test
	void aServerThatComesBackIsUsedAgain() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			if (exchange.number() < 10) {
				exchange.reset();
			}
			else {
				exchange.send(OK);
			}
		})) {
			StageResult result = run(Plans.builder(Model.OPEN).port(server.port()).stage("measure", 500, 200));
			assertThat(result.total().counts()).isEqualTo(new Counts(100, 90, 0, 0, 0, 10, 0, 0));
			assertThat(result.generator().reconnects()).isPositive();
		}
	}

	@Test
	void stagesKeepTheirConnectionsAndNothingIsSentBetweenThem() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			List<Progress> events = new ArrayList<>();
			LoadPlan plan = Plans.builder(Model.CLOSED).port(server.port()).connections(3).build();
			try (LoadSession session = this.engine.open(plan)) {
				assertThat(server.connections()).isZero();
				session.run(closed("warm-up", 100), events::add);
				int requests = server.requests();
				await().during(Duration.ofMillis(50)).until(() -> server.requests() == requests);
				StageResult measured = session.run(closed("measure", 1_100), events::add);
				assertThat(measured.complete()).isTrue();
				assertThat(measured.generator().connectionsOpened()).isZero();
				assertThat(measured.generator().cpuSeconds()).isPositive();
				assertThat(measured.seconds()).isEqualTo(1.1);
				assertThat(measured.series()).hasSizeGreaterThanOrEqualTo(2);
				assertThat(measured.throughput()).isPositive();
				assertThat(server.connections()).isEqualTo(3);
				assertThat(events).extracting(Progress::stage, Progress::second).containsExactly(tuple("measure", 0));
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
					result.set(session.run(measure, NOBODY));
					interrupted.set(Thread.interrupted());
					next.set(catchThrowable(() -> session.run(measure, NOBODY)));
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
			assertThat(next.get()).isInstanceOf(LoadEngineException.class).hasMessageContaining("no further stage");
		}
	}

	@Test
	void anInterruptBeforeTheFirstRequestIsAnEmptyResult() throws Exception {
		try (StubServer server = StubServer.answering(OK);
				LoadSession session = this.engine.open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
			Thread.currentThread().interrupt();
			StageResult result = session.run(closed("measure", 60_000), NOBODY);
			assertThat(Thread.interrupted()).isTrue();
			assertThat(result.complete()).isFalse();
			assertThat(result.balanced()).isTrue();
			assertThat(result.seconds()).isLessThan(60);
		}
	}

	@Test
	void whatWasCutShortIsNotTakenForWhole() {
		StageResult cut = new StageResult("measure", Stage.Kind.MEASURE, Instant.EPOCH, 1, false, List.of(), List.of(),
				new GeneratorStats(LatencyHistogram.empty(), 0, 0, 0, 0, 0));
		assertThatExceptionOfType(LoadEngineException.class).isThrownBy(cut::whole)
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
				.stage(closed("few", 300).on(4))
				.stage("many again", 200)
				.send(this.engine);
			assertThat(results.values()).allSatisfy((stage) -> assertAll(stage, Counts::ok));
			// 4 users cannot have more than 30 answers each in 300 ms
			assertThat(results.get("few").total().counts().ok()).isBetween(4L, 124L);
			assertThat(results.get("few").generator().connectionsOpened()).isZero();
			assertThat(results.get("many again").generator().connectionsOpened()).isEqualTo(16);
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
			StageResult first = session.run(new Stage("own", Stage.Kind.MEASURE, Duration.ofMillis(100), 0,
					Arrivals.CONSTANT, List.of(), 0, 0, List.of(own)), NOBODY);
			assertThat(first.types()).extracting(TypeResult::type).containsExactly("own");
			assertThat(paths).isNotEmpty().containsOnly("/own");
			paths.clear();
			StageResult second = session.run(closed("all", 100), NOBODY);
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
				session.run(open("warm-up", Stage.Kind.WARMUP), NOBODY);
			}
			measuring.set(true);
			assertAll(session.run(open("measure", Stage.Kind.MEASURE), NOBODY), Counts::ok);
			return List.copyOf(paths);
		}
	}

	@Test
	void aListenerThatFailsEndsTheStageAndTheSession() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Stage measure = closed("measure", 60_000);
			try (LoadSession session = this.engine.open(Plans.builder(Model.CLOSED).port(server.port()).build())) {
				assertThatExceptionOfType(IllegalStateException.class)
					.isThrownBy(() -> session.run(measure, (second) -> {
						throw new IllegalStateException("listener");
					}))
					.withMessage("listener");
				assertThatExceptionOfType(LoadEngineException.class).isThrownBy(() -> session.run(measure, NOBODY))
					.withMessageContaining("no further stage");
			}
			await().until(() -> server.open() == 0);
		}
	}

	@Test
	void aSessionThatIsClosedHasNoConnectionAndNoThread() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			Set<Thread> before = Thread.getAllStackTraces().keySet();
			LoadSession session = this.engine
				.open(Plans.builder(Model.CLOSED).port(server.port()).connections(3).build());
			session.run(closed("measure", 50), NOBODY);
			assertThat(server.open()).isEqualTo(3);
			session.close();
			session.close();
			await().until(() -> server.open() == 0);
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.contains("LoopGroup"));
			assertThatExceptionOfType(LoadEngineException.class)
				.isThrownBy(() -> session.run(closed("late", 50), NOBODY));
		}
	}

	private StageResult run(Plans plans) throws InterruptedException {
		StageResult result = plans.send(this.engine).get("measure");
		assertThat(result.complete()).isTrue();
		return result;
	}

	private static Stage closed(String name, long millis) {
		return Stage.closed(name, Stage.Kind.MEASURE, Duration.ofMillis(millis));
	}

	private static Stage iterations(long millis, int perUser) {
		return closed("measure", millis).withIterations(perUser);
	}

	private static Stage open(String name, Stage.Kind kind) {
		return new Stage(name, kind, Duration.ofMillis(250), 100, Arrivals.CONSTANT);
	}

	private static Plans plan(Model model, int port, Expectation expectation) {
		Plans plans = Plans.builder(model).port(port).mix(Plans.get(expectation)).timeout(250);
		return (model == Model.OPEN) ? plans.connections(50).stage("measure", 100, 200) : plans.stage("measure", 100);
	}

	private static void assertAll(StageResult result, ToLongFunction<Counts> outcome) {
		Counts counts = result.total().counts();
		assertThat(counts.intended()).isPositive();
		assertThat(outcome.applyAsLong(counts)).as("%s %s", counts, result.total().failures())
			.isEqualTo(counts.intended());
		assertThat(result.balanced()).isTrue();
	}

	private static String json(String json) {
		return "HTTP/1.1 200 OK~Content-Type: application/json~Content-Length: " + json.length() + "~~" + json;
	}

	private static int deadPort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
