package io.gatewaybench.benchmark.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.plan.Stage;
import org.junit.jupiter.api.Test;

import static io.gatewaybench.benchmark.engine.EngineFixture.ANY;
import static io.gatewaybench.benchmark.engine.EngineFixture.OK;
import static io.gatewaybench.benchmark.engine.EngineFixture.closed;
import static io.gatewaybench.benchmark.engine.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What several hosts send together is what one would send.
 */
class SegmentedLoadTests {

	private static final RequestType[] MIX = { type("a", 3, "/a/1", "/a/2"), type("b", 2, "/b/1", "/b/2", "/b/3") };

	@Test
	void theRequestsOfAnOpenLoadAreThoseOfOneHost() throws Exception {
		Stage stage = new Stage("measure", Stage.Kind.MEASURE, Duration.ofMillis(500), 400, Arrivals.POISSON);
		Run whole = send(Plans.builder(Model.OPEN).connections(9).stage(stage), 1, 1);
		List<Run> parts = new ArrayList<>();
		for (int number = 1; number <= 3; number++) {
			parts.add(send(Plans.builder(Model.OPEN).connections(9).stage(stage), number, 3));
		}
		assertThat(parts.stream().flatMap((part) -> part.paths().stream()))
			.containsExactlyInAnyOrderElementsOf(whole.paths());
		StageResult merged = StageResult.merge(parts.stream().map(Run::result).toList());
		assertThat(counts(merged)).isEqualTo(counts(whole.result()));
		assertThat(merged.series().stream().mapToLong(SecondSample::offered).sum())
			.isEqualTo(whole.result().total().counts().intended());
		assertThat(parts).allSatisfy((part) -> assertThat(part.mostInFlight()).isLessThanOrEqualTo(3));
	}

	@Test
	void theUsersOfAClosedLoadAreThoseOfOneHost() throws Exception {
		Stage stage = closed("measure", 10_000).withIterations(20);
		Run whole = send(Plans.builder(Model.CLOSED).connections(6).stage(stage), 1, 1);
		List<Run> parts = List.of(send(Plans.builder(Model.CLOSED).connections(6).stage(stage), 1, 2),
				send(Plans.builder(Model.CLOSED).connections(6).stage(stage), 2, 2));
		assertThat(parts).allSatisfy((part) -> assertThat(part.connections()).isEqualTo(3));
		assertThat(parts.stream().flatMap((part) -> part.paths().stream()))
			.containsExactlyInAnyOrderElementsOf(whole.paths());
		assertThat(counts(StageResult.merge(parts.stream().map(Run::result).toList())))
			.isEqualTo(counts(whole.result()));
	}

	@Test
	void mergedPercentilesAreThoseOfAllRequests() {
		LoadPlan plan = Plans.builder(Model.CLOSED).mix(MIX).build();
		Stage stage = closed("measure", 2_000);
		StageRecorder all = new StageRecorder(plan, stage, 0);
		List<StageRecorder> hosts = Stream.generate(() -> new StageRecorder(plan, stage, 0)).limit(3).toList();
		SplittableRandom random = new SplittableRandom(7);
		try (RequestMix mix = new RequestMix(List.of(MIX), plan.target())) {
			for (int index = 0; index < 30_000; index++) {
				PreparedRequest request = mix.next(random);
				long sent = index * 60_000L;
				long latency = (long) (1e6 * Math.exp(2 * random.nextDouble()));
				for (StageRecorder recorder : List.of(all, hosts.get(index % 3))) {
					recorder.intended(request, sent);
					recorder.sent(sent);
					if (index % 100 == 0) {
						recorder.failed(request, Outcome.RESET, sent, sent + latency, "gone");
					}
					else {
						recorder.ok(request, sent, sent, sent + latency, latency / 2);
					}
				}
			}
		}
		StageResult merged = StageResult.merge(hosts.stream().map(SegmentedLoadTests::result).toList());
		StageResult whole = result(all);
		assertThat(counts(merged)).isEqualTo(counts(whole));
		assertThat(merged.throughput()).isEqualTo(whole.throughput());
		assertThat(merged.total().latency().service().histogram())
			.isEqualTo(whole.total().latency().service().histogram());
		assertThat(merged.total().latency().slo().summary()).isEqualTo(whole.total().latency().slo().summary());
		assertThat(merged.total().latency().overhead().summary())
			.isEqualTo(whole.total().latency().overhead().summary());
		assertThat(merged.series())
			.extracting(SecondSample::offered, SecondSample::sent, SecondSample::ok, SecondSample::errors)
			.isEqualTo(whole.series()
				.stream()
				.map((each) -> tuple(each.offered(), each.sent(), each.ok(), each.errors()))
				.toList());
	}

	@Test
	void aSegmentWithoutAConnectionIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Plans.builder(Model.CLOSED).connections(2).segment(3, 3).build())
			.withMessageContaining("segment 3/3 has none of 2 connections");
		LoadPlan plan = Plans.builder(Model.CLOSED).connections(9).segment(3, 3).build();
		assertThatIllegalArgumentException().isThrownBy(() -> plan.check(closed("measure", 100).on(2)))
			.withMessageContaining("segment 3/3 has none of 2 connections");
		plan.check(closed("measure", 100));
		assertThat(plan.segment()).isEqualTo(new Segment(3, 3));
	}

	private static Run send(Plans plans, int number, int count) throws Exception {
		Collection<String> paths = new ConcurrentLinkedQueue<>();
		try (StubServer server = new StubServer((exchange) -> {
			paths.add(exchange.path());
			exchange.send(OK);
		})) {
			StageResult result = run(plans.mix(MIX).port(server.port()).segment(number, count));
			return new Run(result, List.copyOf(paths), server.connections(), server.mostInFlight());
		}
	}

	private record Run(StageResult result, List<String> paths, int connections, int mostInFlight) {
	}

	private static List<Map.Entry<String, Counts>> counts(StageResult result) {
		return result.types().stream().map((type) -> Map.entry(type.type(), type.counts())).toList();
	}

	private static StageResult result(StageRecorder recorder) {
		return new StageResult("measure", Stage.Kind.MEASURE, Instant.EPOCH, 2, true, recorder.types(),
				recorder.series(2), new GeneratorStats(recorder.lag(), 0, 0, 0, 0, 0));
	}

	private static RequestType type(String name, double weight, String... paths) {
		return new RequestType(name, weight, "GET", List.of(paths), Map.of(), null, ANY);
	}

}
