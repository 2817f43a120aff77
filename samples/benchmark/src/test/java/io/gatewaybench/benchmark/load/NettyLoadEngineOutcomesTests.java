package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.gatewaybench.benchmark.load.EngineFixture.ANY;
import static io.gatewaybench.benchmark.load.EngineFixture.OK;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static io.gatewaybench.benchmark.load.EngineFixture.closed;
import static io.gatewaybench.benchmark.load.EngineFixture.deadPort;
import static io.gatewaybench.benchmark.load.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class NettyLoadEngineOutcomesTests {

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
			}
		}
	}

	@Test
	void aBodyThatEndsWithTheConnectionIsRight() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			exchange.send("HTTP/1.1 200 OK~~hello");
			exchange.close();
		})) {
			StageResult result = run(Plans.builder(Model.CLOSED)
				.port(server.port())
				.mix(Plans.get(new Expectation(200, 5, null)))
				.stage(Plans.iterations(Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(30)), 2)));
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

	@Test
	void aResponseWithABodyThatIsRightForItsGatewayIsOk() throws Exception {
		try (StubServer server = new StubServer(
				(exchange) -> exchange.send(json("{\"a\":1,\"_gateway\":{\"type\":\"WebMVC\",\"timestamp\":"
						+ System.currentTimeMillis() + ",\"processed\":true}}")))) {
			assertAll(run(plan(Model.CLOSED, server.port(), new Expectation(200, 50, "WebMVC"))), Counts::ok);
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
				fault("not HTTP", ANY, Counts::reset, "not HTTP/1.1: invalid version format: SSH-2.0",
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
	void whatIsRefusedIsNotSent() throws Exception {
		StageResult result = run(Plans.builder(Model.OPEN).port(deadPort()).stage("measure", 300, 100));
		assertAll(result, Counts::refused);
		assertThat(result.series().getFirst().offered()).isEqualTo(30);
		assertThat(result.series()).extracting(SecondSample::sent).containsOnly(0L);
	}

	private static String json(String json) {
		return "HTTP/1.1 200 OK~Content-Type: application/json~Content-Length: " + json.length() + "~~" + json;
	}

	private static Plans plan(Model model, int port, Expectation expectation) {
		Plans plans = Plans.builder(model).port(port).mix(Plans.get(expectation)).timeout(250);
		return (model == Model.OPEN) ? plans.connections(50).stage("measure", 100, 200) : plans.stage("measure", 100);
	}

}
