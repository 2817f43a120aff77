package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.gatewaybench.benchmark.load.EngineFixture.OK;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static io.gatewaybench.benchmark.load.EngineFixture.closed;
import static io.gatewaybench.benchmark.load.EngineFixture.deadPort;
import static io.gatewaybench.benchmark.load.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class StageLeadTests {

	private static final Duration LEAD = Duration.ofMillis(300);

	@Test
	void requestsOfTheLeadCountAndAreInNoLatency() throws Exception {
		try (StubServer server = StubServer.answering(OK)) {
			StageResult result = run(Plans.builder(Model.OPEN).port(server.port()).stage(open()));
			assertAll(result, Counts::ok);
			assertThat(result.total().counts().intended()).isEqualTo(80);
			LatencyViews latency = result.total().latency();
			assertThat(latency.service().summary().count()).isEqualTo(50);
			assertThat(latency.response().summary().count()).isEqualTo(50);
			assertThat(latency.slo().summary().count()).isEqualTo(50);
			assertThat(result.series().stream().mapToLong(SecondSample::offered).sum()).isEqualTo(50);
			assertThat(result.seconds()).isGreaterThanOrEqualTo(0.5);
		}
	}

	@Test
	void aResponseThatIsCompleteInTheWindowCountsForTheThroughput() {
		Stage stage = open();
		StageRecorder recorder = new StageRecorder(Plans.builder(Model.OPEN).build(), stage, 0);
		long begin = LEAD.toNanos();
		long end = stage.sending().toNanos();
		LongStream.of(begin - 1, begin, end - 1, end).forEach((now) -> recorder.ok(0, 0, 0, now, -1));
		assertThat(recorder.types().getFirst().okInWindow()).isEqualTo(2);
	}

	@Test
	void failuresOfTheLeadCountAndAreNotInTheSloView() throws Exception {
		StageResult result = run(Plans.builder(Model.OPEN).port(deadPort()).stage(open()));
		assertAll(result, Counts::failed);
		assertThat(result.total().counts().intended()).isEqualTo(80);
		assertThat(result.total().latency().slo().summary().count()).isEqualTo(50);
	}

	/**
	 * The last of two begins at half of the lead, so a busy machine has the other half
	 * for it.
	 */
	@Test
	void usersOfAClosedLoopBeginOneAfterTheOtherInTheLead() throws Exception {
		Duration lead = Duration.ofSeconds(2);
		List<Long> arrivals = new CopyOnWriteArrayList<>();
		CountDownLatch over = new CountDownLatch(1);
		try (StubServer server = new StubServer((exchange) -> {
			arrivals.add(System.nanoTime());
			over.await(10, TimeUnit.SECONDS);
			exchange.send(OK);
		})) {
			long begin = System.nanoTime();
			CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS).execute(over::countDown);
			StageResult result = run(Plans.builder(Model.CLOSED)
				.port(server.port())
				.connections(2)
				.stage(closed("measure", 100).after(lead)));
			assertAll(result, Counts::ok);
			assertThat(arrivals).hasSize(2);
			assertThat(arrivals.getLast() - begin).isGreaterThanOrEqualTo(lead.toNanos() / 2);
			assertThat(arrivals.getLast() - arrivals.getFirst()).isGreaterThan(lead.toNanos() / 3);
			// All of them came in the lead
			assertThat(result.total().latency().service().summary().count()).isZero();
			assertThat(result.total().okInWindow()).isZero();
		}
	}

	private static Stage open() {
		return new Stage("measure", Stage.Kind.MEASURE, Duration.ofMillis(500), 100, Arrivals.CONSTANT).after(LEAD);
	}

}
