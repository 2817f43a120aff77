package io.gatewaybench.benchmark.load;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static io.gatewaybench.benchmark.load.EngineFixture.OK;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static io.gatewaybench.benchmark.load.EngineFixture.closed;
import static io.gatewaybench.benchmark.load.EngineFixture.deadPort;
import static io.gatewaybench.benchmark.load.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

class NettyLoadEngineUsersTests {

	private final LoadEngine engine = NettyLoadSession::new;

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
			assertAll(session.run(iterations(60_000, 2)), Counts::ok);
			await().until(() -> server.open() == 0);
			StageResult next = session.run(closed("next", 100));
			assertAll(next, Counts::ok);
			assertThat(server.connections()).isEqualTo(6);
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

	private static Stage iterations(long millis, int perUser) {
		return Plans.iterations(closed("measure", millis), perUser);
	}

}
